// The page of a game: its buttons copy addresses.
import { gameView } from '../components/games.ts'
import { reportActions } from './actions.ts'
import { live } from './live.ts'

live(gameView)
reportActions()
