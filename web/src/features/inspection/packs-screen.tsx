import { PackagePlus } from "lucide-react"
import { useState } from "react"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { Notice } from "@/ui/notice"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { ofWhom, packColumns } from "./pack-columns"
import { PackDialog } from "./pack-dialog"
import { packsQuery, type PacksView } from "./queries"

const noFilter = {} as const

/** The packs that were made for an inspection or an audit: of whom, of which days, by whom. */
export function PacksScreen({ view, onView }: ListProps<PacksView>) {
  usePageTitle("Inspection packs")
  const [isAsking, setIsAsking] = useState(false)
  const list = useListScreen({ view, onView, query: packsQuery(view), noFilter })
  return (
    <Screen>
      <Notice tone="info">
        A pack is a zip with an index page that any browser opens, the records of the days you
        choose, and a program that checks that nothing was changed. Its file stays on the server for
        7 days.
      </Notice>
      <Card flush>
        <Toolbar
          action={
            <Button
              kind="primary"
              icon={<PackagePlus size={15} />}
              onClick={() => setIsAsking(true)}
            >
              Make a pack
            </Button>
          }
        >
          {null}
        </Toolbar>
        <Table
          {...list.table}
          label="Inspection packs"
          name="inspection-packs"
          columns={packColumns}
          rowKey={(row) => row._id}
          rowName={ofWhom}
          around={250}
          skeletonRows={5}
          empty={list.empty({
            hint: "Packs you make appear here, with who made them and when.",
            noMatch: "No pack matches.",
          })}
        />
        <Pagination {...list.pages} sizes={[20, 50, 100]} label="Pages of inspection packs" />
      </Card>
      {isAsking && <PackDialog onClose={() => setIsAsking(false)} />}
    </Screen>
  )
}
