import { Tooltip } from "@mantine/core"

export default Tooltip
