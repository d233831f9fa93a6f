"""The door to track records of models, calls and factsheets."""

from tarazu.track_record.calls import (
    CallFilter,
    CallRow,
    CallsRecord,
    calls_record,
    chosen_calls,
)
from tarazu.track_record.comparing import Compared, Figures, Point, TrackRecord, track_record
from tarazu.track_record.factsheets import Factsheet, factsheet, html_of, pdf_of_factsheet
from tarazu.track_record.gate import pass_gate
from tarazu.track_record.keeping import (
    has_prices_due,
    has_records_due,
    keep_records,
    note_prices,
)
from tarazu.track_record.raw_record import raw_record
