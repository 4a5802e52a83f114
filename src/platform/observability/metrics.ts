// The process' Prometheus registry. Each feature declares its own metrics against it, named directory_<what>_<unit>.
import { collectDefaultMetrics, Registry } from 'prom-client'

export const registry = new Registry()
collectDefaultMetrics({ register: registry })
