// The server list, live: filters without loading the page.
import { directoryView } from '../components/directory.ts'
import { live } from './live.ts'

live(directoryView)
