import { ImportFile, type ImportKind } from "./import-file"
import { ImportPrices } from "./import-prices"

interface ImportDialogProps {
  kind: ImportKind | "prices"
  onClose: () => void
}

/** The imports for the whole firm. */
export const ImportDialog = ({ kind, onClose }: ImportDialogProps) =>
  kind === "prices" ? (
    <ImportPrices onClose={onClose} />
  ) : (
    <ImportFile kind={kind} onClose={onClose} />
  )
