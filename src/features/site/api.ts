// Calls operations in this process as the visitor of a page, without a request over the network.
import type { Request, Response } from 'express'
import type { CallOperation } from '../../platform/http/api.ts'
import { type Client, createClient } from './components/client.ts'

export type { Client }

export const createCaller = (call: CallOperation, req: Request, res: Response): Client =>
  createClient(({ method, path, params, query, body }) =>
    call(req, res, { method, path }, { params, query, ...(body === undefined ? {} : { body }) }),
  )
