// Declarations that open their transactions themselves. `operation` replaces them feature by feature.
import type * as z from 'zod'
import type { Access, Input, Method, Operation, OperationDescription } from './operation.ts'
import type { Result } from './reply-kinds.ts'

export type Route = Operation

export function route<
  Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  Returns extends z.ZodType = z.ZodType,
  A extends Access = 'public',
  Headers extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(
  declaration: OperationDescription & {
    method: Method
    params?: Params
    query?: Query
    headers?: Headers
    body?: Body
    returns: Returns
    access?: A
    handle(
      input: Input<z.output<Params>, z.output<Query>, z.output<Body>, A, z.output<Headers>>,
    ): Result<z.output<Returns>> | Promise<Result<z.output<Returns>>>
  },
): Route {
  return { ...declaration, transaction: false } as unknown as Route
}
