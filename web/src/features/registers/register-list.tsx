import { Plus } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { SelectField } from "@/ui/form/fields"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { type Column, type MenuEntry, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { EntryForm, type FormSpec } from "./entry-form"
import {
  noFilter,
  registerFile,
  type RegisterName,
  registerQuery,
  type RegisterView,
  type RowOf,
} from "./queries"

interface RegisterListProps<Name extends RegisterName> extends ListProps<RegisterView> {
  name: Name
  /** The title of the page and what the table is called. */
  title: string
  columns: Column<RowOf<Name>>[]
  rowName: (row: RowOf<Name>) => string
  addLabel: string
  /** Where rows come from. */
  hint: string
  /** The words for open and closed entries; without them there is no such filter. */
  states?: { open: string; closed: string }
  /** The form of a new entry. */
  formOf: () => FormSpec
  /** What can be done with a row; `open` shows a form. */
  menuOf: (row: RowOf<Name>, open: (form: FormSpec) => void) => MenuEntry[]
  /** Above the table. */
  notice?: ReactNode
  /** Below the table. */
  children?: ReactNode
}

/** The list of a register with its search, its files and its forms. */
export function RegisterList<Name extends RegisterName>(props: RegisterListProps<Name>) {
  const { name, title, columns, rowName, addLabel, hint, states, view, onView } = props
  usePageTitle(title)
  const [form, setForm] = useState<FormSpec | null>(null)
  const list = useListScreen({ view, onView, query: registerQuery(name, view), noFilter })
  const add = (
    <Button
      kind="primary"
      icon={<Plus size={16} aria-hidden="true" />}
      onClick={() => setForm(props.formOf())}
    >
      {addLabel}
    </Button>
  )
  return (
    <Screen>
      {props.notice}
      <Card flush>
        <Toolbar action={add}>
          <SearchField {...list.search} label="Search this register" width={240} />
          {states && (
            <SelectField
              label="Which entries"
              hideLabel
              placeholder="All"
              options={states}
              value={view.state}
              onChange={({ target }) =>
                list.filter({ state: target.value as RegisterView["state"] })
              }
            />
          )}
        </Toolbar>
        <Table
          {...list.table}
          label={title}
          name={name}
          columns={columns}
          download={(format) => registerFile(name, view, format)}
          rowKey={(row) => row._id}
          rowName={rowName}
          menu={(row) => props.menuOf(row, setForm)}
          skeletonRows={view.limit}
          around={250}
          empty={list.empty({ hint, noMatch: "No entries match." })}
        />
        <Pagination {...list.pages} sizes={[10, 20, 50, 100]} label={`Pages of ${title}`} />
      </Card>
      {props.children}
      {form && <EntryForm {...form} onClose={() => setForm(null)} />}
    </Screen>
  )
}
