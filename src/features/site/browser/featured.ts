// The featured servers, with numbers that move.
import { featuredView } from '../components/featured.ts'
import { reportActions } from './actions.ts'
import { live } from './live.ts'
import { followList } from './stream.ts'

const page = live(featuredView)
reportActions()
followList(page)
