import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { firmQuery } from "@/api/shared-queries"
import { Logo } from "@/ui/logo"
import { PRACTICE, Registration } from "@/parts/registration"
import styles from "./auth-page.module.css"
import { Hero } from "./hero"

interface AuthPageProps {
  title: string
  lead: string
  children: ReactNode
}

/** The public pages: the form at one side, the firm at the other. */
export function AuthPage({ title, lead, children }: AuthPageProps) {
  const { data: firm } = useQuery(firmQuery)
  return (
    <div className={styles.page}>
      <main className={styles.side}>
        <div className={styles.brand}>
          <Logo size={28} />
          <span>
            Tarazu <small lang="hi">(तराज़ू)</small>
          </span>
        </div>
        <div className={styles.box}>
          <h1>{title}</h1>
          <p className={styles.lead}>{lead}</p>
          {children}
        </div>
        <div className={styles.registration}>
          {firm?.isPractice && <p className={styles.practice}>{PRACTICE}</p>}
          <Registration firm={firm} />
        </div>
      </main>
      <aside className={styles.panel} aria-label="About the firm">
        <div className={styles.words}>
          <p className={styles.tagline}>Smart Investing Starts Here</p>
          <p className={styles.promise}>Get Expert Advice to Grow Your Wealth with Confidence</p>
        </div>
        <Hero />
      </aside>
    </div>
  )
}
