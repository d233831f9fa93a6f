import { FileButton } from "@mantine/core"
import { messageOf } from "@/api/client"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { toast } from "@/ui/overlay/toast"
import { type FirmDetails, type Picture, useRemovePicture, useSetPicture } from "./queries"
import styles from "./settings.module.css"

/** The logo and the signature of letters; each is saved when it is chosen. */
export const LetterPictures = ({ firm }: { firm: FirmDetails }) => (
  <Card
    title="Logo and signature"
    note="PNG, JPEG or WebP, at most 2 MB and 4,000 pixels on each side. Letters already sent keep theirs."
  >
    <div className={styles.fields}>
      <LetterPicture kind="logo" label="Logo" picture={firm.logo} />
      <LetterPicture kind="signature" label="Signature" picture={firm.signature} />
    </div>
  </Card>
)

interface LetterPictureProps {
  kind: Picture
  label: string
  /** A data URL. */
  picture: string | null
}

function LetterPicture({ kind, label, picture }: LetterPictureProps) {
  const set = useSetPicture(kind)
  const remove = useRemovePicture(kind)
  const notices = {
    onSuccess: ({ message }: { message?: string | null }) => toast.success(message ?? "Saved"),
    onError: (error: Error) => toast.error(messageOf(error, "Something went wrong")),
  }
  return (
    <section className={styles.picture} aria-label={label}>
      <span className={styles.pictureName}>{label}</span>
      {picture ? (
        <img className={styles.pictureShown} src={picture} alt={`${label} of letters`} />
      ) : (
        <span className={styles.hint}>None: letters show the name only.</span>
      )}
      <div className={styles.pictureActs}>
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          onChange={(file) => file && set.mutate(file, notices)}
        >
          {(props) => (
            <Button {...props} isBusy={set.isPending}>
              {picture ? `Replace ${kind}` : `Upload ${kind}`}
            </Button>
          )}
        </FileButton>
        {picture && (
          <Button isBusy={remove.isPending} onClick={() => remove.mutate(undefined, notices)}>
            Remove {kind}
          </Button>
        )}
      </div>
    </section>
  )
}
