import { Pencil } from "lucide-react"
import { date, longDate } from "@/lib/dates"
import { count, decimal, missing, signedPercent, signedShortRupees, tone } from "@/lib/format"
import { IconButton } from "@/ui/button"
import { Change, Money, useAmountsHidden } from "@/ui/money"
import { Hint } from "@/ui/overlay/hint"
import { StatCard } from "@/ui/stat-card"
import { BrokerMark } from "./broker-mark"
import styles from "./portfolio.module.css"
import type { Portfolio } from "./queries"

interface PortfolioCardsProps {
  /** Valued at the newest prices; undefined while it loads. */
  portfolio: Portfolio | undefined
  onEditDate: () => void
  onEditCapital: () => void
}

/** A change as a short amount; the exact amount is shown below it. */
function ShortChange({ value }: { value: number | null | undefined }) {
  useAmountsHidden()
  return <span className={tone(value)}>{signedShortRupees(value)}</span>
}

function Xirr({ portfolio }: { portfolio: Portfolio | undefined }) {
  const reason = portfolio?.xirrMessage
  const rate = portfolio?.xirrPercentage
  const shown = <span className={rate === null ? "muted" : tone(rate)}>{signedPercent(rate)}</span>
  if (!reason) return shown
  return (
    <Hint text={reason}>
      {/* The reason must be reachable without a pointer. */}
      {/* eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex */}
      <span className={styles.dotted} tabIndex={0} role="note">
        {shown}
        <span className="sr-only">{reason}</span>
      </span>
    </Hint>
  )
}

/** Below XIRR: the absolute return of a period under a year, else the time-weighted one. */
function otherReturn(portfolio: Portfolio | undefined) {
  const { absoluteReturnPercentage: plain, twrPercentage: weighted } = portfolio ?? {}
  if (plain !== null && plain !== undefined) return `${signedPercent(plain)} absolute return`
  if (weighted !== null && weighted !== undefined) return `${signedPercent(weighted)} time-weighted`
  return "Annualised, money-weighted"
}

export function PortfolioCards({ portfolio, onEditDate, onEditCapital }: PortfolioCardsProps) {
  const isLoading = portfolio === undefined
  const edit = (label: string, onClick: () => void) => (
    <IconButton label={label} icon={<Pencil size={14} />} disabled={isLoading} onClick={onClick} />
  )
  return (
    <div className={styles.figures}>
      <div className={styles.wide}>
        <StatCard
          label="Portfolio Value"
          isLoading={isLoading}
          value={<Money value={portfolio?.portfolioValue} />}
          context={
            portfolio?.portfolioValue === null ? (
              "No holdings or funds yet"
            ) : (
              <>
                Holdings <Money value={portfolio?.totalCurrentValue} /> and cash{" "}
                <Money value={portfolio?.net} />
              </>
            )
          }
        />
      </div>
      <StatCard
        label="P&L Amount"
        isLoading={isLoading}
        value={<ShortChange value={portfolio?.totalPnL} />}
        context={
          <>
            <Change value={portfolio?.totalPnL} />
            {portfolio?.isSincePurchase && " since purchase"}
          </>
        }
      />
      <StatCard
        label="P&L%"
        isLoading={isLoading}
        value={<Change percentage={portfolio?.pnlPercentage} />}
        context={portfolio?.isSincePurchase ? "Since purchase" : "On net investment"}
      />
      <StatCard
        label="XIRR%"
        isLoading={isLoading}
        value={<Xirr portfolio={portfolio} />}
        context={otherReturn(portfolio)}
      />
      <StatCard
        label="XIRR(Period)"
        isLoading={isLoading}
        value={portfolio?.xirrPeriod == null ? missing : `${decimal(portfolio.xirrPeriod)} years`}
        context="Annualised, 365-day year"
      />
      <StatCard
        label="Starting From"
        isLoading={isLoading}
        value={date(portfolio?.startedFrom)}
        context={portfolio?.startedFrom ? "First day counted" : "Not entered yet"}
        action={edit("Edit Starting From", onEditDate)}
      />
      <StatCard
        label="Days"
        isLoading={isLoading}
        value={count(portfolio?.totalDays)}
        context={portfolio?.startedFrom ? `Since ${longDate(portfolio.startedFrom)}` : "\u00a0"}
      />
      <StatCard
        label="Starting Capital"
        isLoading={isLoading}
        value={
          <Money
            value={portfolio?.netInvestment === null ? null : portfolio?.startingCapital}
            short
          />
        }
        context={
          portfolio?.netInvestment === null ? (
            <button type="button" className={styles.enter} onClick={onEditCapital}>
              Enter starting capital
            </button>
          ) : (
            <Money value={portfolio?.startingCapital} />
          )
        }
        action={edit("Edit Starting Capital", onEditCapital)}
      />
      <StatCard
        label="Net Investment"
        isLoading={isLoading}
        value={<Money value={portfolio?.netInvestment} short />}
        context={
          portfolio?.netInvestment === null ? (
            "Not entered yet"
          ) : (
            <Money value={portfolio?.netInvestment} />
          )
        }
      />
      <StatCard
        label="Net Profit"
        isLoading={isLoading}
        value={<ShortChange value={portfolio?.netProfit} />}
        context={
          portfolio?.netProfit === null ? (
            "\u00a0"
          ) : (
            <>
              <Change value={portfolio?.netProfit} /> after fees
            </>
          )
        }
      />
      <StatCard
        label="Your Broker"
        isLoading={isLoading}
        value={<BrokerMark broker={portfolio?.broker} />}
        context={portfolio?.broker.name ? "Demat and trading" : "Not entered yet"}
      />
    </div>
  )
}
