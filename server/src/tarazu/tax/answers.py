"""Lots and gains in the shapes of the wire: exact amounts in whole paise."""

from fractions import Fraction

from tarazu.domain.money import Rupees
from tarazu.domain.tax.rates import Term
from tarazu.domain.tax.set_off import SetOff, YearGains
from tarazu.domain.tax.staircase import Step
from tarazu.domain.tax.values import Lot
from tarazu.tax import schemas
from tarazu.tax.service import ClientLots, ClientYear, NamedGain, ScheduleRow, StockLots
from tarazu.tax.stocks import long_term_on
from tarazu.tax.wording import NO_QUOTE, NOTES, REASONS, rupees


def lots_shown(lots: ClientLots) -> schemas.Lots:
    """A client's open lots."""
    return schemas.Lots(
        as_of=lots.today,
        tax_class=schemas.StatedTaxClass.model_validate(lots.income),
        stocks=[_stock(stock, lots) for stock in lots.stocks],
        entries=schemas.EntryRow.rows(lots.entered),
        trades_left_out=lots.left_out,
        notes=list(NOTES),
    )


def _stock(stock: StockLots, lots: ClientLots) -> schemas.StockRow:
    # The lots of the account at the broker come first, and they alone have steps.
    steps: list[Step | None] = [*(stock.steps or ())]
    steps += [None] * (len(stock.lots) - len(steps))
    return schemas.StockRow(
        isin=stock.isin,
        trading_symbol=stock.symbol,
        name=stock.name,
        quantity=stock.quantity,
        lot_quantity=stock.in_lots,
        ltp=stock.price,
        known=stock.why is None,
        reason=stock.why,
        reason_text=REASONS[stock.why] if stock.why else "",
        short_gain=rupees(stock.gain(Term.SHORT)),
        long_gain=rupees(stock.gain(Term.LONG)),
        harvest=_harvest(stock),
        lots=[_lot(lot, step, stock, lots) for lot, step in zip(stock.lots, steps, strict=True)],
    )


def _harvest(stock: StockLots) -> schemas.Harvest | None:
    steps = stock.harvest
    if not steps:
        return None
    gain = rupees(sum((step.shares * step.gain for step in steps), 0 * steps[0].gain))
    return schemas.Harvest(quantity=sum(step.shares for step in steps), gain=gain)


def _lot(lot: Lot, step: Step | None, stock: StockLots, lots: ClientLots) -> schemas.LotRow:
    on = long_term_on(lot, lots.rates)
    return schemas.LotRow(
        quantity=lot.quantity,
        bought_on=lot.bought_on,
        cost=rupees(lot.cost) if stock.why is None or lot.demat else None,
        source=lot.source,
        demat=lot.demat,
        known=lot.is_known and (stock.why is None or bool(lot.demat)),
        is_long_term=on <= lots.today,
        long_term_on=on,
        days_to_long_term=max(0, (on - lots.today).days),
        gain=None if step is None else rupees(step.shares * step.gain),
        tax=None if step is None else rupees(step.shares * step.tax),
    )


def year_shown(year: ClientYear) -> schemas.Gains:
    """A client's tax year."""
    better = None if year.tax is None else year.tax.better
    return schemas.Gains(
        year=year.year.name,
        first=year.year.first,
        last=year.year.last,
        tax_class=schemas.StatedTaxClass.model_validate(year.income),
        rates=schemas.RateRow(
            short_term=year.rates.short_term,
            long_term=year.rates.long_term,
            exemption=year.rates.exemption,
            sections=dict(year.rates.sections),
            lines=schemas.TaxRateLine.rows(year.lines),
        ),
        schedule=[schedule_row(row) for row in year.schedule],
        disposals=[_disposal(each) for each in year.gains],
        unknown_disposals=len(year.unknown),
        realised=_sums(year.realised),
        tax=None
        if year.tax is None or better is None
        else schemas.YearTaxRow(better=better.way, ways=[_way(way) for way in year.tax]),
        used_exemption=None
        if better is None
        else rupees(Fraction(year.rates.exemption) - better.exemption_left),
        unused_exemption=None if better is None else rupees(better.exemption_left),
        dividends=rupees(year.dividends),
        speculation=rupees(year.speculation),
        unknown_speculations=sum(1 for each in year.speculations if each.gain is None),
        unrealised=_sums(year.unrealised),
        unknown_stocks=[_unknown(stock) for stock in year.stocks if stock.steps is None],
        harvestable=[
            schemas.HarvestRow(
                isin=stock.isin,
                trading_symbol=stock.symbol,
                quantity=loss.quantity,
                gain=loss.gain,
            )
            for stock in year.stocks
            if (loss := _harvest(stock)) is not None
        ],
        trades_left_out=year.left_out,
        notes=list(NOTES),
    )


def _unknown(stock: StockLots) -> schemas.UnknownStock:
    return schemas.UnknownStock(
        isin=stock.isin,
        trading_symbol=stock.symbol,
        quantity=stock.quantity,
        lot_quantity=stock.in_lots,
        reason=stock.why,
        reason_text=REASONS[stock.why] if stock.why else NO_QUOTE,
    )


def schedule_row(row: ScheduleRow) -> schemas.GainRow:
    """One share's realised gains; figures of nothing that is known are None."""

    def known(amount: Fraction) -> Rupees | None:
        return rupees(amount) if row.is_known else None

    return schemas.GainRow(
        isin=row.isin,
        trading_symbol=row.symbol,
        quantity=row.quantity,
        proceeds=known(row.proceeds),
        cost=known(row.cost),
        short_gain=known(row.short),
        long_gain=known(row.long),
        unknown_quantity=row.unknown,
    )


def _disposal(each: NamedGain) -> schemas.DisposalRow:
    gain, part = each.gain, each.gain.disposal
    return schemas.DisposalRow(
        kind=part.kind,
        isin=part.isin,
        trading_symbol=each.symbol,
        quantity=part.quantity,
        sold_on=part.sold_on,
        bought_on=part.bought_on,
        term=gain.term,
        proceeds=rupees(gain.proceeds),
        cost=rupees(gain.cost) if gain.why is None else None,
        gain=rupees(gain.amount),
        reason=gain.why,
        reason_text=REASONS[gain.why] if gain.why else "",
    )


def _sums(gains: YearGains) -> schemas.GainSums:
    return schemas.GainSums(
        short_gain=rupees(gains.short_gain),
        short_loss=rupees(gains.short_loss),
        long_gain=rupees(gains.long_gain),
        long_loss=rupees(gains.long_loss),
    )


def _way(way: SetOff) -> schemas.SetOffRow:
    amounts = {name: rupees(getattr(way, name)) for name in way._fields if name != "way"}
    return schemas.SetOffRow.model_validate({"way": way.way, **amounts})
