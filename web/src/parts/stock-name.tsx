/** A stock's symbol and, smaller, its exchange. */
export const StockName = ({ symbol, exchange }: { symbol: string; exchange: string }) => (
  <>
    <strong>{symbol}</strong> <span className="quiet">{exchange}</span>
  </>
)
