import { useId } from "react"
import { useAmountsHidden } from "@/ui/money"
import styles from "./fewer-orders.module.css"

interface StopSliderProps<Stop extends { stop: number }> {
  label: string
  stops: Stop[]
  chosen: Stop
  /** The chosen stop against the first one, in words. */
  text: string
  figures: [name: string, figure: (stop: Stop) => string][]
  onChoose: (stop: number) => void
}

/** A slider over the stops of a rebalance, with the figures of each below. */
export function StopSlider<Stop extends { stop: number }>(props: StopSliderProps<Stop>) {
  const { label, stops, chosen, text, figures, onChoose } = props
  useAmountsHidden()
  const id = useId()
  return (
    <>
      <p className={styles.chosen} id={id}>
        {text}
      </p>
      <div className={styles.slider}>
        <input
          type="range"
          aria-label={label}
          aria-valuetext={text}
          min={0}
          max={stops.length - 1}
          step={1}
          value={chosen.stop}
          onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
        />
      </div>
      <table className={styles.stops} aria-label={`Stops of ${label}`}>
        <tbody>
          {figures.map(([name, figure]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {stops.map((each) => (
                <td key={each.stop} data-chosen={each === chosen}>
                  {figure(each)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
