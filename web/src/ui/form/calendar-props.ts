import styles from "./calendar-days.module.css"

/** What a calendar's buttons are called, and how it is laid out, wherever one opens. */
export const calendarProps = {
  className: styles.days,
  hideOutsideDates: true,
  firstDayOfWeek: 1,
  size: "sm",
  ariaLabels: {
    previousMonth: "Previous month",
    nextMonth: "Next month",
    previousYear: "Previous year",
    nextYear: "Next year",
    previousDecade: "Previous decade",
    nextDecade: "Next decade",
    monthLevelControl: "Change month",
    yearLevelControl: "Change year",
  },
} as const
