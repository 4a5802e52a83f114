// What people do with the started product, from the first step to the last.
import './journeys/owner.ts'
import './journeys/player.ts'
import './journeys/minecraft-owner.ts'
import './journeys/luanti-owner.ts'
import './journeys/rust-owner.ts'
import './journeys/team.ts'
import './journeys/bidder.ts'
import './journeys/operator.ts'
