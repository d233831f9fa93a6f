import { useState } from "react"
import { date } from "@/lib/dates"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { Actions } from "@/ui/overlay/confirm"
import { TextField } from "@/ui/form/fields"
import { RadioField } from "@/ui/form/radio-field"
import { FirmPanel } from "./firm-panel"
import { type FirmDetails, useSaveFirm } from "./queries"
import styles from "./settings.module.css"

type Question = FirmDetails["disclosureQuestions"][number]

/** The questions behind the disclosures of every letter; confirmed every 90 days. */
export default function DisclosureSettings() {
  return <FirmPanel form={Questions} />
}

function Questions({ firm }: { firm: FirmDetails }) {
  const save = useSaveFirm("Disclosures confirmed")
  const [answers, setAnswers] = useState(firm.disclosureQuestions)
  const [isChecked, setIsChecked] = useState(false)
  const faultOf = ({ isYes, details }: Question) =>
    isYes === null
      ? "Choose Yes or No."
      : isYes && details.trim() === ""
        ? "Enter what to disclose."
        : undefined
  const change = (changed: Question) =>
    setAnswers(answers.map((question) => (question.id === changed.id ? changed : question)))
  const submit = () => {
    setIsChecked(true)
    if (answers.some((question) => faultOf(question) !== undefined)) return
    const disclosureAnswers = answers.map(({ id, isYes, details }) => ({
      id,
      isYes: isYes === true,
      details: isYes ? details.trim() : "",
    }))
    save.mutate({ disclosureAnswers, version: firm.version })
  }
  return (
    <Screen>
      <Card
        title="Disclosure questions"
        note={
          firm.disclosuresConfirmedOn === null
            ? "Not answered yet. Advice cannot be sent until all questions are answered."
            : `Confirmed on ${date(firm.disclosuresConfirmedOn)}. Confirm again every 90 days.`
        }
      >
        <div className={styles.questions}>
          {answers.map((question) => (
            <Answer
              key={question.id}
              question={question}
              fault={isChecked ? faultOf(question) : undefined}
              onChange={change}
            />
          ))}
        </div>
      </Card>
      {firm.disclosures !== "" && (
        <Card title="Current text in letters">
          <p className={styles.hint}>{firm.disclosures}</p>
        </Card>
      )}
      <Actions>
        <Button kind="primary" isBusy={save.isPending} onClick={submit}>
          Confirm as of today
        </Button>
      </Actions>
    </Screen>
  )
}

interface AnswerProps {
  question: Question
  fault: string | undefined
  onChange: (question: Question) => void
}

function Answer({ question, fault, onChange }: AnswerProps) {
  const { isYes, details } = question
  return (
    <div className={styles.question}>
      <RadioField
        label={question.question}
        choices={{ no: "No", yes: "Yes" }}
        value={isYes === null ? null : isYes ? "yes" : "no"}
        onChoice={(choice) => onChange({ ...question, isYes: choice === "yes" })}
      />
      {isYes === null && fault && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      {isYes && (
        <TextField
          label="Text in letters"
          minRows={2}
          maxLength={1000}
          value={details}
          error={fault}
          onChange={(event) => onChange({ ...question, details: event.currentTarget.value })}
        />
      )}
    </div>
  )
}
