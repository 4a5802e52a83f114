// The process' Prometheus registry. Each feature declares its own metrics, named directory_<what>_<unit>.
import { collectDefaultMetrics, Registry } from 'prom-client'

export const registry = new Registry()
collectDefaultMetrics({ register: registry })
