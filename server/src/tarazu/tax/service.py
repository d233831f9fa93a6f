"""The door to tax lots: open lots, gains of a tax year, and what a sale adds to the tax."""

from tarazu.tax.dated_rates import (
    KnownRates,
    NewRates,
    RateVersion,
    add_rates,
    known_rates,
    remove_rates,
)
from tarazu.tax.entries import (
    NewEntry,
    StatedClass,
    add_entry,
    add_highs_of_2018,
    change_entry,
    entries_of,
    highs_of_2018,
    remove_entry,
    set_high_of_2018,
    set_tax_class,
    tax_class_of,
)
from tarazu.tax.realised import NamedGain, ScheduleRow
from tarazu.tax.sales import (
    Sale,
    SalesOfDay,
    SalesTax,
    SaleTax,
    SolverFacts,
    clients_with_lots,
)
from tarazu.tax.statements import gains_statement
from tarazu.tax.stocks import ClientLots, StockLots, gains_of_sales, lots_of, staircases
from tarazu.tax.wording import rupees as in_paise
from tarazu.tax.years import ClientYear, year_of
