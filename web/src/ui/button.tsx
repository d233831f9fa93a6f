import { Button as MantineButton } from "@mantine/core"
import { useMergedRef } from "@mantine/hooks"
import {
  type ComponentProps,
  type MouseEventHandler,
  type PointerEventHandler,
  type ReactNode,
  type Ref,
  useLayoutEffect,
  useRef,
} from "react"
import styles from "./button.module.css"

interface ButtonProps {
  children: ReactNode
  /** One `primary` a view; `danger` only inside a confirmation. */
  kind?: "primary" | "default" | "subtle" | "danger"
  icon?: ReactNode
  /** Shows a spinner, keeps the width and takes no second click. */
  isBusy?: boolean
  disabled?: boolean
  type?: "button" | "submit"
  fullWidth?: boolean
  onClick?: MouseEventHandler<HTMLButtonElement>
  onPointerDown?: PointerEventHandler<HTMLButtonElement>
  /** Marks the button that `N` presses. */
  "data-add"?: boolean
  "data-autofocus"?: boolean
  "aria-label"?: string
  "aria-busy"?: boolean
  "aria-expanded"?: boolean
  "aria-haspopup"?: "menu" | "dialog"
  title?: string
  form?: string
  ref?: Ref<HTMLButtonElement>
}

const variants = {
  primary: { variant: "filled" },
  default: { variant: "default" },
  subtle: { variant: "subtle" },
  danger: { variant: "filled", color: "loss" },
} as const

export function Button({ kind = "default", icon, isBusy = false, ref, ...rest }: ButtonProps) {
  const merged = useMergedRef(useFocusBack(isBusy), ref)
  return (
    <MantineButton
      {...variants[kind]}
      leftSection={icon}
      loading={isBusy}
      loaderProps={{ size: 16 }}
      aria-busy={isBusy || undefined}
      type="button"
      {...rest}
      ref={merged}
    />
  )
}

/** A busy button takes no focus; who pressed it by key finds the focus there again afterwards. */
function useFocusBack(isBusy: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (isBusy) {
      hadFocus.current = document.activeElement === button.current
      return
    }
    if (hadFocus.current && document.activeElement === document.body) button.current?.focus()
    hadFocus.current = false
  }, [isBusy])
  return button
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  /** What it does, in words: its name and its tooltip. */
  label: string
  icon: ReactNode
  /** Draws a border, as in the header. */
  framed?: boolean
}

/** A button that is only a picture; its label names it. */
export function IconButton({ label, icon, framed = false, className, ...rest }: IconButtonProps) {
  const classes = [styles.icon, framed && styles.framed, className].filter(Boolean)
  return (
    <button type="button" aria-label={label} title={label} className={classes.join(" ")} {...rest}>
      {icon}
    </button>
  )
}
