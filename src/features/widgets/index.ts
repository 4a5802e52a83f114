// Widgets: images of servers that other sites embed.
export { widgetsOperations } from './widgets.operations.ts'
