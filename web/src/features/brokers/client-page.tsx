import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { firmQuery } from "@/api/shared-queries"
import { Logo } from "@/ui/logo"
import { Registration } from "@/parts/registration"
import styles from "./client-page.module.css"

interface ClientPageProps {
  title: string
  /** Under the title, in quiet ink. */
  lead?: ReactNode
  children?: ReactNode
}

/** A page for clients, who have no account: one card in the middle, and who asks at its foot. */
export function ClientPage({ title, lead, children }: ClientPageProps) {
  const { data: firm } = useQuery(firmQuery)
  return (
    <div className={styles.page}>
      <main className={styles.card}>
        <div className={styles.firm}>
          <Logo size={24} />
          <span>{firm?.name}</span>
        </div>
        <h1>{title}</h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        {children}
      </main>
      <footer className={styles.registration}>
        <Registration firm={firm} />
      </footer>
    </div>
  )
}
