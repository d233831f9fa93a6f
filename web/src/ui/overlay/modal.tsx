import type { ReactNode } from "react"
import { lazyComponent } from "@/ui/lazy-component"
import { confirm } from "./confirm"

export interface ModalProps {
  title: string
  isOpen: boolean
  onClose: () => void
  /** Asks before the edits are dropped. */
  isDirty?: boolean
  width?: number | string
  children: ReactNode
}

/** Asks before edits are dropped, in the same words everywhere. */
export const confirmDiscard = () =>
  confirm({ title: "Discard changes?", text: "What you typed will be lost.", act: "Discard" })

/** A dialog over the screen: holds the focus, starts on the first field, closes with Escape, fills a phone. */
export const Modal = lazyComponent<ModalProps>(() => import("./modal-frame"))
