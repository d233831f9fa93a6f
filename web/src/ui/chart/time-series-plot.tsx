import {
  AreaSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  LineStyle,
  type MouseEventHandler,
  type SeriesMarker,
  type Time,
} from "lightweight-charts"
import { useEffect, useRef } from "react"
import { token, useAppearance } from "@/ui/appearance"
import { useAmountsHidden } from "@/ui/money"
import type { Day } from "@/lib/dates"
import type { Mark, Point } from "./time-series-chart"

interface PlotProps {
  points: Point[]
  benchmark?: Point[]
  other?: Point[]
  marks?: Mark[]
  height: number
  format: (value: number) => string
  onDay?: (day: Day | null) => void
}

interface Drawing {
  chart: IChartApi
  area: ISeriesApi<"Area">
  line: ISeriesApi<"Line">
  dotted: ISeriesApi<"Line">
  markers: ISeriesMarkersPluginApi<Time>
}

const faded = (colour: string, share: number) =>
  `color-mix(in srgb, ${colour} ${share * 100}%, transparent)`

/** Canvas wants plain colours, so the browser works out the mix first. */
function plain(colour: string): string {
  const probe = document.createElement("span")
  probe.style.color = colour
  document.body.append(probe)
  const [red = "0", green = "0", blue = "0", alpha = "1"] =
    getComputedStyle(probe).color.match(/[\d.]+/g) ?? []
  const isShare = getComputedStyle(probe).color.startsWith("color(")
  probe.remove()
  const channel = (part: string) => Math.round(Number(part) * (isShare ? 255 : 1))
  return `rgba(${channel(red)}, ${channel(green)}, ${channel(blue)}, ${alpha})`
}

function paint({ chart, area, line, dotted }: Drawing, format: (value: number) => string) {
  const brand = token("--brand")
  const rule = { color: token("--line") }
  chart.applyOptions({
    layout: {
      background: { type: ColorType.Solid, color: "transparent" },
      textColor: token("--ink-3"),
      fontFamily: token("--font"),
      fontSize: 11,
    },
    grid: { vertLines: { visible: false }, horzLines: rule },
    crosshair: {
      vertLine: { color: token("--field-line"), labelBackgroundColor: token("--ink-2") },
      horzLine: { color: token("--field-line"), labelBackgroundColor: token("--ink-2") },
    },
    localization: { locale: "en-IN", priceFormatter: format, dateFormat: "dd/MM/yyyy" },
  })
  area.applyOptions({
    lineColor: brand,
    topColor: plain(faded(brand, 0.22)),
    bottomColor: plain(faded(brand, 0.02)),
  })
  line.applyOptions({ color: token("--ink-3") })
  dotted.applyOptions({ color: token("--gain") })
}

const markerOf = ({ date, text }: Mark): SeriesMarker<Time> => ({
  time: date,
  position: "belowBar",
  shape: "arrowUp",
  color: token("--ink-2"),
  text,
})

function draw(frame: HTMLElement, height: number): Drawing {
  const chart = createChart(frame, {
    height,
    autoSize: true,
    // The library would write its logo through innerHTML, which trusted types forbid: <ChartCredit> is the link.
    layout: { attributionLogo: false },
    rightPriceScale: {
      borderVisible: false,
      scaleMargins: { top: 0.08, bottom: 0.1 },
      entireTextOnly: true,
    },
    timeScale: { borderVisible: false, fixLeftEdge: true, fixRightEdge: true },
    handleScroll: { vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  })
  const area = chart.addSeries(AreaSeries, { lineWidth: 2, priceLineVisible: false })
  const quiet = { priceLineVisible: false, lastValueVisible: false }
  const line = chart.addSeries(LineSeries, {
    ...quiet,
    lineWidth: 1,
    lineStyle: LineStyle.Dashed,
  })
  const dotted = chart.addSeries(LineSeries, {
    ...quiet,
    lineWidth: 2,
    lineStyle: LineStyle.Dotted,
  })
  return { chart, area, line, dotted, markers: createSeriesMarkers(area, []) }
}

/** The drawing of `<TimeSeriesChart>`, in a file of its own so that its library is loaded only with it. */
export default function TimeSeriesPlot(props: PlotProps) {
  const { points, benchmark, other, marks, height, format, onDay } = props
  const frame = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing | null>(null)
  const { version } = useAppearance()
  const isHidden = useAmountsHidden()

  useEffect(() => {
    if (!frame.current) return
    const made = draw(frame.current, height)
    drawing.current = made
    return () => {
      drawing.current = null
      made.chart.remove()
    }
  }, [height])

  useEffect(() => {
    let isGone = false
    // Labels are painted on a canvas: before the font is here they would stay in the fallback.
    void document.fonts.ready.then(() => {
      if (!isGone && drawing.current) paint(drawing.current, format)
    })
    return () => {
      isGone = true
    }
  }, [version, isHidden, format, height])

  useEffect(() => {
    if (!drawing.current) return
    const { area, line, dotted, markers, chart } = drawing.current
    area.setData(points.map(({ date, value }) => ({ time: date, value })))
    line.setData((benchmark ?? []).map(({ date, value }) => ({ time: date, value })))
    dotted.setData((other ?? []).map(({ date, value }) => ({ time: date, value })))
    markers.setMarkers((marks ?? []).map(markerOf))
    chart.timeScale().fitContent()
  }, [points, benchmark, other, marks, height, version])

  useEffect(() => {
    const chart = drawing.current?.chart
    if (!chart || !onDay) return
    const onMove: MouseEventHandler<Time> = ({ time }) =>
      onDay(typeof time === "string" ? time : null)
    chart.subscribeCrosshairMove(onMove)
    return () => chart.unsubscribeCrosshairMove(onMove)
  }, [onDay, height])

  return <div ref={frame} style={{ height }} />
}
