"""The "door" contract: a feature is called through its service and guards, and no other file.

Its tables' enums, its refusals and the values of its memory may be named from above; its
queries, schemas and routes may not.
"""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class DoorContract(Contract):
    """Fails for an import of a feature's inner file from outside the feature."""

    doors = fields.ListField(subfield=fields.StringField())
    features = fields.ListField(subfield=fields.StringField())
    above = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        broken = []
        for importer in sorted(graph.modules):
            if not importer.startswith("tarazu.") or self._part(importer) in set(self.above):  # type: ignore[arg-type]
                continue
            broken += [
                f"{importer} -> {imported}"
                for imported in sorted(graph.find_modules_directly_imported_by(importer))
                if self._is_back_way(importer, imported)
            ]
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["broken"]:
            output.print_error(line)

    def _is_back_way(self, importer: str, imported: str) -> bool:
        names = imported.split(".")
        if names[0] != "tarazu" or self._part(imported) not in set(self.features):  # type: ignore[arg-type]
            return False
        inner = names[2] if len(names) > 2 else "service"  # noqa: PLR2004 - tarazu.feature.file
        return self._part(importer) != self._part(imported) and inner not in set(self.doors)  # type: ignore[arg-type]

    @staticmethod
    def _part(module: str) -> str:
        names = module.split(".")
        return names[1] if len(names) > 1 else ""
