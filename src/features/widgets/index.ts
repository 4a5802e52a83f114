// Widgets: images of servers that other sites embed.
export { CARD_SIZE } from './card.ts'
export { widgetsOperations } from './widgets.operations.ts'
