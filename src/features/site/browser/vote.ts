// The page that only votes, live.
import { voteView } from '../components/vote.ts'
import { live } from './live.ts'
import { voteLive } from './voting.ts'

voteLive(live(voteView))
