"""The door to tax lots: open lots, gains of a tax year, and what a sale adds to the tax."""

from tarazu.tax.entries import (
    NewEntry,
    StatedClass,
    add_entry,
    entries_of,
    remove_entry,
    set_high_of_2018,
    set_tax_class,
    tax_class_of,
)
from tarazu.tax.stocks import ClientLots, StockLots, gains_of_sales, lots_of, staircases
from tarazu.tax.years import ClientYear, NamedGain, ScheduleRow, year_of
