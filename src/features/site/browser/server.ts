// The page of a server, live.
import { serverView } from '../components/server.ts'
import { live } from './live.ts'

live(serverView)
