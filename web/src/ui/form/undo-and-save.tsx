import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"

interface UndoAndSaveProps {
  form: { isDirty: boolean; isSaving: boolean; reset: () => void }
}

/** The buttons under a form of settings. */
export function UndoAndSave({ form }: UndoAndSaveProps) {
  return (
    <Actions>
      <Button disabled={!form.isDirty} onClick={form.reset}>
        Undo
      </Button>
      <Button kind="primary" type="submit" isBusy={form.isSaving}>
        Save
      </Button>
    </Actions>
  )
}
