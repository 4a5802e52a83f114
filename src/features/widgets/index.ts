// Widgets: images of servers that other sites embed.
import { widgetsOperations } from './widgets.operations.ts'
import { createWidgetsService } from './widgets.service.ts'

export const createWidgets = (options: Parameters<typeof createWidgetsService>[0]) => ({
  operations: widgetsOperations(createWidgetsService(options)),
})
