// Made from the OpenAPI document by `npm run examples:types`; not edited by hand.
export interface paths {
    "/ad-placements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List running placements */
        get: operations["listPlacements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ad-placements/{location}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List running placements at a location */
        get: operations["listPlacementsOfLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/ad-slots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List ad slots */
        get: operations["listAdSlots"];
        put?: never;
        /** Create an ad slot */
        post: operations["createAdSlot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/ad-slots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an ad slot that has no auctions or placements */
        delete: operations["deleteAdSlot"];
        options?: never;
        head?: never;
        /**
         * Change an ad slot
         * @description While a slot is inactive, it is not auctioned and its placements are not displayed. Once it is active again, its placements run until their original end.
         */
        patch: operations["updateAdSlot"];
        trace?: never;
    };
    "/admin/appearance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the name, the logo and the colours of the site */
        get: operations["getAppearance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name, the colour, the introduction and the links of the site
         * @description All processes show the change at once: pages, the pages of payments and mails, and cards within a minute.
         */
        patch: operations["updateAppearance"];
        trace?: never;
    };
    "/admin/appearance/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload a logo for the site
         * @description The body is the picture: PNG, JPEG, WebP, or GIF, of which the first frame is shown; at most 5 MB and 40 megapixels. A worker encodes it within seconds, without whatever else the file holds; `GET /admin/appearance` says what became of it.
         */
        put: operations["setSiteLogo"];
        post?: never;
        /** Remove the logo of the site; succeeds if there is none */
        delete: operations["removeSiteLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/auctions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List auctions with their offers */
        get: operations["listAdminAuctions"];
        put?: never;
        /** Create an auction of an ad slot */
        post: operations["createAuction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/auctions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an auction with its offers */
        get: operations["getAdminAuction"];
        put?: never;
        post?: never;
        /**
         * Delete an auction that has no bids
         * @description An auction of this week’s round would be created again (`recurs`): cancel it instead.
         */
        delete: operations["deleteAuction"];
        options?: never;
        head?: never;
        /** Change an auction that has no bids, or cancel a running one */
        patch: operations["updateAuction"];
        trace?: never;
    };
    "/admin/auctions/{id}/bids/{bidId}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a bid
         * @description The highest bid that remains valid leads. If the auction has ended, an open offer for the bid is withdrawn and the auction is offered to the next bidder. Bids on an auction that was canceled or sold can’t be voided.
         */
        post: operations["voidBid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log, newest first
         * @description Actions of administrators and moderators, of members of teams and about teams, transfers of servers, changes of what gives access to an account, deleted accounts, RCON commands.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages from the contact form; newest first
         * @description Kept for a year; messages with the hidden field filled in for 30 days.
         */
        get: operations["listContactMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/contact/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a message from the contact form */
        delete: operations["deleteContactMessage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/discovery/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List discovery blocks and opt-outs, newest first */
        get: operations["listDiscoveryBlocks"];
        put?: never;
        /**
         * Keep sources from listing servers of a network, host, game or name
         * @description A block applies to servers that fulfil all its conditions. Unclaimed servers that it forbids leave the directory at once, or within the hour if it forbids the address that a DNS name leads to. Claimed servers stay: hide these instead.
         */
        post: operations["addDiscoveryBlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/discovery/blocks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a block or an opt-out */
        delete: operations["removeDiscoveryBlock"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/discovery/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sources that servers are found by, with their last and next run and a verdict */
        get: operations["listDiscoverySources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/discovery/sources/{source}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a source now
         * @description A worker begins within seconds, unless a run of this source lasts or waits already.
         */
        post: operations["runDiscoverySource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/first-steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what is done first in a new directory */
        get: operations["listFirstSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all queues, with a verdict and advice for each */
        get: operations["listQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/queues/{name}/failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List jobs of a queue that failed permanently; newest first */
        get: operations["listFailedJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/queues/{name}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List jobs of a queue in one state; those that wait or run oldest first, completed ones newest first */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/queues/{name}/redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move dead letters back into the queue they came from */
        post: operations["redriveJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/queues/{name}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry failed jobs of a queue */
        post: operations["retryJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List reports about servers and findings of suspicious votes; oldest first */
        get: operations["listReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a report
         * @description Moderators delete no report about a server that they own or work on: 403.
         */
        delete: operations["deleteReport"];
        options?: never;
        head?: never;
        /**
         * Resolve, dismiss or reopen a report, with a note
         * @description Moderators decide no report about a server that they own or work on: 403. A finding that is dismissed is not reported again for 30 days; `voidReportedVotes` voids its votes.
         */
        patch: operations["settleReport"];
        trace?: never;
    };
    "/admin/reports/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void the votes of a finding, and resolve its report
         * @description The same as `voidVotes` with the selection of the finding. Only an open report with a `finding` can be answered so. Moderators void no votes for a server that they own or work on: 403. A finding about all servers may include such votes.
         */
        post: operations["voidReportedVotes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all servers, including hidden ones; newest first */
        get: operations["listAllServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/servers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a server from the directory */
        delete: operations["removeServer"];
        options?: never;
        head?: never;
        /**
         * Hide, verify or feature a server, or change its owner
         * @description Moderators may change `hidden` only, of servers that they neither own nor work on, and show again only what a moderator has hidden: everything else is 403. An administrator who hides what a moderator has hidden takes the decision over.
         */
        patch: operations["moderateServer"];
        trace?: never;
    };
    "/admin/servers/{id}/faces/{kind}/lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove and lock the logo, banner or reported icon of a server
         * @description Moderators change no lock of an administrator, and lock no picture of a server that they own or work on: 403.
         */
        post: operations["lockServerFace"];
        /**
         * Unlock the logo, banner or reported icon; succeeds if it was not locked
         * @description Moderators unlock what a moderator has locked, of servers that they neither own nor work on: everything else is 403. The banner of a listing with a `bannerUrl` is downloaded again within an hour.
         */
        delete: operations["unlockServerFace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/servers/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export servers as CSV, with the columns that an import takes; oldest first
         * @description With the filters of `GET /admin/servers`. Owners, votes, history and wipe schedules are not in it. A cell that a spreadsheet could take for a formula begins with an apostrophe, which an import leaves out.
         */
        get: operations["exportServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/servers/hide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hide several servers, or show them again
         * @description Each server has an entry in the audit log, with the reason. If a moderator may not hide or show one of them, none is changed: 403, by the rules of `moderateServer`.
         */
        post: operations["hideServers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/servers/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the servers of a CSV file
         * @description The body is the file: UTF-8, at most 1 MB and 5,000 rows, with the column names in its first line: `name`, `ipAddress`, `gamePort`, `queryPort`, `game`, `bedrockAddress`, `bedrockPort`, `nameFromServer`, `gameMode`, `description`, `region`, `tags`, `website`, `chatUrl`, `bannerUrl`, `rates`, `mods`, `lastWipeAt`. `name` and `ipAddress` are required, and `gamePort` for games without a usual port. Valid rows are added, by the rules of `createServer`; each other one is refused with its line and the reason. A file that can’t be read as a whole changes nothing.
         */
        post: operations["importServers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count accounts, sessions, keys, servers, claims and polls */
        get: operations["getAdminStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all accounts; newest first */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an account; its servers stay listed without an owner, and unverified */
        delete: operations["removeUser"];
        options?: never;
        head?: never;
        /**
         * Ban an account, make it an administrator or a moderator, or change its tier
         * @description `own_account`: administrators cannot ban or demote themselves. `admin_by_setting`: the setting `ADMIN_EMAILS` makes the account an administrator. `second_factor_missing`: an account gets rights once it has a second factor, if they need one.
         */
        patch: operations["moderateUser"];
        trace?: never;
    };
    "/admin/vote-networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List servers by how few networks their votes of the last 7 days came from
         * @description Servers with the most votes per network come first. Networks are those of `previewVoteVoiding`; voided votes do not count. A reply can be up to a minute old.
         */
        get: operations["listVoteNetworks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/votes/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what voiding selected votes would change
         * @description All given criteria must apply. With votes of all time and places in the standings of the affected months, before and after. Networks are keyed hashes: their addresses are not stored.
         */
        get: operations["previewVoteVoiding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/votes/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void selected votes, for a reason that the owners of the servers see
         * @description A job voids them in the order of servers, at most some thousands in a transaction; `listVoteVoidings` shows its progress. Voided votes count nowhere; the voters’ cooldowns and what owners have rewarded stay. They can be restored for 30 days. A moderator names no server that they own or work on: 403.
         */
        post: operations["voidVotes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/votes/voidings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List voidings of votes with their progress, newest first */
        get: operations["listVoteVoidings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/votes/voidings/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore the votes of a voiding
         * @description A job makes them count again, within 30 days after they were voided. Moderators restore what a moderator has voided, unless votes for a server that they own or work on are among them: everything else is 403.
         */
        post: operations["restoreVotes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an alert by the id in its messages
         * @description One click, without logging in. Bodies are ignored. Doing it again changes nothing.
         *
         *     Unknown parameters are ignored.
         */
        post: operations["endAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/announce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Announce the game server that sends this
         * @description The server is listed once it answers a query of ours, at the address that the request comes from; another address can’t be announced. Behind several addresses, send the request from the one that players connect to. Only if the setting `DISCOVER` has `announcements`, else 404. At most 120 per minute and address, which do not count against its other limits. A deletion removes what was listed by an announcement and no account owns.
         */
        post: operations["announceServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auctions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the first 200 auctions: running ones by their end, then finished ones, latest end first */
        get: operations["listAuctions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auctions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an auction with its bids */
        get: operations["getAuction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auctions/{id}/bid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bid on an auction
         * @description In cents. A bid must be at least the highest bid plus the minimum increment, and at most a multiple of that (setting `AUCTION_MAX_RAISE_FACTOR`). A bid can’t be withdrawn. An account that does not pay for an auction it won can’t bid for 30 days.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["placeBid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auctions/{id}/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the payment page for the winner, who must pay within 48 hours
         * @description Answers with the same page while it can be paid.
         */
        post: operations["payAuction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redirect the browser to the chat platform to log in or, with a session, to link the identity
         * @description An account with a second factor links an identity only within ten minutes after a confirmation, and one with neither a second factor nor a password within ten minutes after a login. Else the browser is led to `/account/confirm`.
         *
         *     Unknown parameters are ignored.
         */
        get: operations["beginChatLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/chat/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete a login through the chat platform, which redirects the browser here
         * @description Logs in, or links the identity to the account whose session started it. `provider_login_failed`: the message gives the reason; `identity_taken`: the identity is linked to another account; `confirmation_needed`: the login or the confirmation has become older than ten minutes. An account with a second factor gets no session yet: the browser is led to `/login/second-step`, with a cookie that names the login.
         *
         *     Unknown parameters are ignored.
         */
        get: operations["finishChatLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/gameplatform": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redirect the browser to the game platform to log in or, with a session, to link the identity
         * @description An account with a second factor links an identity only within ten minutes after a confirmation, and one with neither a second factor nor a password within ten minutes after a login. Else the browser is led to `/account/confirm`.
         *
         *     Unknown parameters are ignored.
         */
        get: operations["beginGamePlatformLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/gameplatform/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete a login through the game platform, which redirects the browser here
         * @description Logs in, or links the identity to the account whose session started it. `provider_login_failed`: the message gives the reason; `identity_taken`: the identity is linked to another account; `confirmation_needed`: the login or the confirmation has become older than ten minutes. An account with a second factor gets no session yet: the browser is led to `/login/second-step`, with a cookie that names the login.
         *
         *     Unknown parameters are ignored.
         */
        get: operations["finishGamePlatformLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in by e-mail address and password
         * @description Sets the session cookie and ends the session of the request. 429 after too many wrong attempts; 403 for a banned account. An account with a second factor gets no session yet: the reply to the right password is 401 `second_factor_needed` with a cookie that names the login, and `POST /auth/second-step` completes it.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this session
         * @description Succeeds without a session too. Always clears the cookie.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the ways to log in here */
        get: operations["listLoginMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a token that sets a new password
         * @description The reply is the same whether there is an account or not. At most 3 mails an hour to an address; an address that is not verified shares them with other mails about accounts of its mailbox.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the token from the mail
         * @description A token works once, for one hour. All sessions of the account end and none is opened: log in. If the address was not verified before, everything that gave access to the account or its notifications is removed: linked identities, passkeys and one-time codes, API keys, vote keys, members of teams, the chat webhook, push browsers, subscriptions and alerts; a mail lists it. Invitations and offers to hand a server over are withdrawn by every reset. Listed servers and votes stay. The second factor of an account whose address was verified stays as it is.
         */
        post: operations["confirmPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account and log in
         * @description Sets the session cookie and mails a token that verifies the address (`POST /auth/verify-email`). `email_taken`: an account has this address; this reveals that it has one, since the reply logs in and can’t wait for a mail. A client address may register accounts and request mails 30 times an hour. A mailbox, whatever its `+tag`, gets 3 mails an hour: beyond that the account is created without a mail (`POST /auth/verify-email/send` sends it later).
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the second factors that can complete this login
         * @description 401 if no login waits: its cookie is set by the login, for ten minutes.
         */
        get: operations["getSecondStep"];
        put?: never;
        /**
         * Complete a login with the second factor of the account
         * @description Sets the session cookie and ends the session of the request. A wrong answer is 401 `invalid_credentials`, and the login still waits; 401 `unauthenticated`: no login waits. 429 after 5 wrong answers in a minute, and after 10 wrong codes for the account in 15 minutes or 40 in a day, from wherever: passkeys and recovery codes then still work.
         */
        post: operations["completeLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-step/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get passkey request options for this login
         * @description For `navigator.credentials.get`. They are valid for one answer, within six minutes.
         */
        post: operations["beginPasskeyLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the logged-in user */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the e-mail address with the token from the mail
         * @description A token works once, for 24 hours, and only while the account has the address it was sent to. It needs the password of the account as well, or a session opened by it; `password_needed`: neither was given. To replace an unknown password, reset it.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify-email/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail the token that verifies the address again
         * @description At most 3 mails an hour to a mailbox, whatever its `+tag`, that of the registration included. Nothing is sent if the address is already verified or there is none.
         */
        post: operations["sendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a payment page to subscribe to a tier
         * @description Ordering the same tier again within 30 minutes answers with the same page. Ordering another tier expires the first page, so that at most one can be paid; of two concurrent orders one is answered with `checkout_replaced`. If you have a subscription to another tier, the page changes it; to the same tier: `already_subscribed`.
         */
        post: operations["startCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/checkout/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state of one of your checkout sessions */
        get: operations["getCheckout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what subscriptions cost
         * @description Up to ten minutes old.
         */
        get: operations["listPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event of the payment provider
         * @description Signed in `Stripe-Signature`, at most 5 minutes ago. An event is stored once, however often it is sent, and applied by a worker.
         *
         *     Unknown parameters are ignored.
         */
        post: operations["receiveBillingEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/claims/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a claim with the token from the owner’s mail */
        post: operations["stopClaimByMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to the people who run the directory
         * @description 5 messages per hour and client address.
         */
        post: operations["contact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List games with their servers and players */
        get: operations["listGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/icons/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the icon of a game server */
        get: operations["getIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/images/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the logo or banner of a server */
        get: operations["getImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/luanti/announce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Announce the Luanti server that sends this
         * @description The server is listed once it answers a query of ours, at the address that the request comes from; another address can’t be announced. Behind several addresses, send the request from the one that players connect to. Only if the setting `DISCOVER` has `announcements`, else 404. At most 120 per minute and address, which do not count against its other limits. As Luanti servers announce themselves, with `server_announce = true` and `serverlist_url` set to the origin of this directory, because this operation is also at `/announce` there.
         *
         *     Unknown parameters are ignored.
         */
        post: operations["announceLuantiServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics in the Prometheus text format */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/mail-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get or change which notifications you get by mail, with the token of a mail
         * @description Absent fields stay, also in `events`.
         */
        post: operations["changeMailSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redirect a browser to the page with the settings of notification mails
         * @description For mail programs that open the address of `List-Unsubscribe` instead of posting to it. Changes nothing.
         *
         *     Unknown parameters are ignored.
         */
        get: operations["openMailSettings"];
        put?: never;
        /**
         * Turn off notification mails with the token of one
         * @description One click, as mail programs offer it by the mail’s `List-Unsubscribe` header (RFC 8058). Other bodies are ignored. Doing it again changes nothing.
         *
         *     Unknown parameters are ignored.
         */
        post: operations["unsubscribeFromMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description of the API, in OpenAPI 3.1 */
        get: operations["getDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/placement-reach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List page views during placements of the last week, by location
         * @description By location, over all servers there, without crawlers. A location without a placement in that week is left out.
         */
        get: operations["listPlacementReach"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/votes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether a player has voted, or claim it, as a reward plugin
         * @description For plugins that ask a list whether a player has voted, such as EasyVoteExtended (Rust), those for minecraft-mp.com and its sister lists, and FiveM-vote-script. `docs/VOTES.md` has their configuration. A reply is one digit; an error is one line of text. Only votes of the last 24 hours count. A claim marks all of them, so it is one reward; of simultaneous claims one gets 1.
         *
         *     | request | asks | answers |
         *     |---|---|---|
         *     | `action=status`, or `GET` with `object=votes&element=claim` | has the player voted? | 0: no. 1: yes, not claimed. 2: yes, claimed |
         *     | `action=claim`, or `action=custom&object=plugin&element=reward` | claim | 0: no vote. 1: claimed now. 2: claimed before |
         *     | `action=post&object=votes&element=claim`, or `POST` without `action` | claim | 0: nothing to claim. 1: claimed now |
         *
         *     `POST` reads the same parameters, from the address. The vote key identifies the server: 60 requests a minute for each key, which do not count against the address.
         *
         *     Unknown parameters are ignored.
         */
        get: operations["askForVotes"];
        put?: never;
        /**
         * Claim a player’s votes as a reward plugin
         * @description For plugins that ask a list whether a player has voted, such as EasyVoteExtended (Rust), those for minecraft-mp.com and its sister lists, and FiveM-vote-script. `docs/VOTES.md` has their configuration. A reply is one digit; an error is one line of text. Only votes of the last 24 hours count. A claim marks all of them, so it is one reward; of simultaneous claims one gets 1.
         *
         *     | request | asks | answers |
         *     |---|---|---|
         *     | `action=status`, or `GET` with `object=votes&element=claim` | has the player voted? | 0: no. 1: yes, not claimed. 2: yes, claimed |
         *     | `action=claim`, or `action=custom&object=plugin&element=reward` | claim | 0: no vote. 1: claimed now. 2: claimed before |
         *     | `action=post&object=votes&element=claim`, or `POST` without `action` | claim | 0: nothing to claim. 1: claimed now |
         *
         *     `POST` reads the same parameters, from the address. The vote key identifies the server: 60 requests a minute for each key, which do not count against the address.
         *
         *     Unknown parameters are ignored.
         */
        post: operations["claimVotesByPlugin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List servers, most votes first
         * @description A page larger than 1 MB contains only the first 500 characters of each description.
         */
        get: operations["listPublicServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/servers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a server */
        get: operations["getPublicServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/servers/{id}/badge.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a badge image with the server’s name, status and players
         * @description Unknown parameters are ignored.
         */
        get: operations["getServerBadge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get totals of all listed servers */
        get: operations["getPlatformStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/push/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the key for browsers’ push subscriptions
         * @description `applicationServerKey` of `pushManager.subscribe`. It stays the same.
         */
        get: operations["getPushKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process can do its work */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List servers by any combination of filters, sorted
         * @description A page larger than 1 MB contains only the first 500 characters of each description.
         *
         *     To read a long list while votes and players change, send `nextCursor` of each reply as `cursor` of the next request, until it is null. A cursor is a position in the order: the last server’s value of `sortBy`, `createdAt` and `id`. Each server that matches the filters throughout and whose value does not change is on exactly one page. A server whose value moves from one side of the position to the other may be on two pages or on none. A cursor does not expire, and remains valid when its server has left.
         */
        get: operations["listServers"];
        put?: never;
        /**
         * List a server as yours
         * @description The server is polled at once. You can manage it until another user verifies it as theirs, so verify it first, with the token of the reply. The address of a server that was hidden by an administrator, and then removed, stays taken for 90 days.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["createServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get all details of a server */
        get: operations["getServer"];
        put?: never;
        post?: never;
        /**
         * Remove your server from the directory
         * @description If you have proven that you own it, sources do not list it again.
         *
         *     An API key needs the scope `servers:write`.
         */
        delete: operations["deleteServer"];
        options?: never;
        head?: never;
        /**
         * Change your server
         * @description Only these fields can be changed; any other field is 400. A changed address or port ends the proof of ownership: the server stays yours, unverified, with its votes and history, and you verify it again with `POST /servers/{id}/claim`. After a change of address, port or game the status starts over, the RCON password is deleted, and the server is polled at once. Managers can’t change the address and ports, nor can owners of hidden servers. An address and query port with which another server is listed are refused: `already_listed`; those that their owner has taken off the directory: `opted_out`.
         *
         *     An API key needs the scope `servers:write`.
         */
        patch: operations["updateServer"];
        trace?: never;
    };
    "/servers/{id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your role and rights on a listed server
         * @description For pages that are the same for all visitors, and show what the user may do once they are loaded.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getServerAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get views, copied addresses, joins, votes and favorites of your server by day
         * @description Counted without cookies: one view of a client in a minute, and nothing about the client is stored. Up to a minute late, and kept for 400 days. With the placements of the server and the views of their days.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getServerActivity"];
        put?: never;
        /**
         * Count a copied address or a click on the join link
         * @description Pages of the site call it. It succeeds also if the action is not counted.
         */
        post: operations["countServerActivity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/activity.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a server’s activity by day as CSV
         * @description RFC 4180 with a header row. The columns are the fields of `days`.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getServerActivityCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log of a server, newest first
         * @description For owners and managers: what members and administrators did, who joined and left, and all changes of RCON, rewards and vote keys. Without values, secrets and addresses. Managers do not see invitations.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listServerAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/banner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload a banner for your server
         * @description The body is the picture: PNG, JPEG, WebP, or GIF, of which the first frame is shown; at most 5 MB and 40 megapixels. A worker encodes it as WebP of 960 × 240 pixels within seconds, without whatever else the file holds, and deletes it; `GET /servers/{id}/faces` says what became of it. At most 20 pictures per hour.
         *
         *     An API key needs the scope `servers:write`.
         */
        put: operations["setServerBanner"];
        post?: never;
        /**
         * Remove the banner of your server
         * @description An API key needs the scope `servers:write`.
         */
        delete: operations["removeServerBanner"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/banner.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a banner image with the server’s name, game, map, address and players
         * @description A small line shows the players of the last 24 hours. Light or dark as the viewer’s system is; at most 20 kB.
         *
         *     Unknown parameters are ignored.
         */
        get: operations["getServerBanner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/card.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the image that chats show for a link to the server’s page
         * @description 1200 × 630 pixels: logo, name, game, players, their line of the last 24 hours, and the banner. Drawn at most once a minute, and for one client at most ten new ones in ten seconds.
         *
         *     Unknown parameters are ignored.
         */
        get: operations["getServerCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/chart.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an image of the players of a server over time
         * @description The line is the mean of each interval, the area reaches its peak, and intervals without an answered poll are gaps, up to the last poll. Light or dark as the viewer’s system is; at most 20 kB; drawn at most once a minute.
         *
         *     Unknown parameters are ignored.
         */
        get: operations["getServerChart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your claim of a server
         * @description An API key needs the scope `read`.
         */
        get: operations["getClaim"];
        put?: never;
        /**
         * Claim a server: returns the token that proves ownership
         * @description A pending claim stays unchanged; an expired one starts again with a new token. A proof transfers the listing from its current owner, who gets a mail at a verified address. A listing that another user has proven changes owners only if the server shows the token for at least ten minutes, after its owner was warned and did not stop the claim; a stopped claim can start again after 30 days. At most 100 claims can be pending.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["claimServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/claim/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the claims on your server
         * @description The users who made them cannot claim the server again for 30 days.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["stopClaims"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/claim/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the server for your token now
         * @description Waits up to 12 seconds for the server; 503 if it could not be queried by then. `pending` means that the server was queried and did not show the token, did not answer, or shows the token and becomes yours at `takeoverAt` of `getClaim`: see `message`. At most 20 per minute.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["verifyClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare up to five servers */
        get: operations["compareServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the endpoints that events of a server are sent to, oldest first
         * @description An API key needs the scope `endpoints`.
         */
        get: operations["listEndpoints"];
        put?: never;
        /**
         * Add an endpoint that events of a server are sent to
         * @description At most 5. The reply for the kind `standard` has the secret that signs its deliveries.
         *
         *     An API key needs the scope `endpoints`.
         */
        post: operations["addEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/endpoints/{endpointId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an endpoint, without its secret
         * @description An API key needs the scope `endpoints`.
         */
        get: operations["getEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete an endpoint and cancel its pending deliveries
         * @description An API key needs the scope `endpoints`.
         */
        delete: operations["deleteEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint, and enable it if it is disabled
         * @description Fields that are not given keep their value, and so does the secret that signs deliveries. The kind can’t change.
         *
         *     An API key needs the scope `endpoints`.
         */
        patch: operations["changeEndpoint"];
        trace?: never;
    };
    "/servers/{id}/endpoints/{endpointId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of an endpoint and their attempts, newest first; kept for 30 days
         * @description An API key needs the scope `endpoints`.
         */
        get: operations["listEndpointDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/endpoints/{endpointId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, with the same id
         * @description At most 20 tests and redeliveries a minute.
         *
         *     An API key needs the scope `endpoints`.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/endpoints/{endpointId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of an endpoint; the previous one also signs for 24 hours
         * @description An API key needs the scope `endpoints`.
         */
        post: operations["rotateEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/endpoints/{endpointId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a `webhook.test` event to an endpoint
         * @description The reply does not wait for the delivery. At most 20 tests and redeliveries a minute.
         *
         *     An API key needs the scope `endpoints`.
         */
        post: operations["testEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/faces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the processing state of your server’s logo and banner
         * @description An API key needs the scope `read`.
         */
        get: operations["getServerFaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/favorite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a server to your favorites; 200 if it already is one
         * @description At most 1000.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["addFavorite"];
        /**
         * Remove a server from your favorites; succeeds if it was not one
         * @description An API key needs the scope `servers:write`.
         */
        delete: operations["removeFavorite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/favorite/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the alerts of a favorite
         * @description An API key needs the scope `read`.
         */
        get: operations["getAlerts"];
        /**
         * Choose the alerts of a favorite, replacing your previous choice
         * @description Alerts become notifications, which are also sent by mail and chat as your notification preferences say, and by push to your browsers (`addPushBrowser`). An alert fires when the server reaches what it is about, and again only after the server was far from it for ten minutes: a tenth of the number of people, at least two; at most once in three hours. Each message ends its alert with one click. At most 100 favorites with alerts, and 10000 alerts of a server.
         *
         *     An API key needs the scope `servers:write`.
         */
        put: operations["setAlerts"];
        post?: never;
        /**
         * End the alerts of a favorite; succeeds if there are none
         * @description An API key needs the scope `servers:write`.
         */
        delete: operations["removeAlerts"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/featured": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whether a server is featured, and for which placement */
        get: operations["getFeatured"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/handover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer your server to one of its members
         * @description It becomes theirs when they accept, within 14 days; until then nothing changes, and you can withdraw the offer as an invitation. Another offer replaces this one.
         */
        post: operations["offerServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw an invitation or the offer of your server */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/listing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get all details of your server, listed or not
         * @description `visibility` says why a server is not listed. `GET /servers/{id}` returns only listed servers.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["getListing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload a logo for your server
         * @description The body is the picture: PNG, JPEG, WebP, or GIF, of which the first frame is shown; at most 5 MB and 40 megapixels. A worker encodes it as WebP of 128 × 128 pixels, and 64 × 64 within seconds, without whatever else the file holds, and deletes it; `GET /servers/{id}/faces` says what became of it. At most 20 pictures per hour.
         *
         *     An API key needs the scope `servers:write`.
         */
        put: operations["setServerLogo"];
        post?: never;
        /**
         * Remove the logo of your server
         * @description An API key needs the scope `servers:write`.
         */
        delete: operations["removeServerLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a server, and the invitations that wait for an answer
         * @description An API key needs the scope `read`.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite a user to the team of your server
         * @description By the name of an account, or by an e-mail address. A manager edits the listing, endpoints and rewards; a viewer sees votes and numbers; only you can remove the server, hand it over, change its address and its team, and spend money for it. The user becomes a member when they accept, within 14 days; another invitation of the same user replaces this one. A verified or given address gets a mail. At most 30 members and open invitations, and 30 invitations a day.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member of your server, or leave the team of another’s
         * @description Ends what their sessions and API keys may do with the next request. What they have set up stays: replace secrets that they know.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /** Change what a member of your server may do, from their next request on */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/servers/{id}/mods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a server’s mods */
        get: operations["listServerMods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the events of a server that you are subscribed to
         * @description An API key needs the scope `read`.
         */
        get: operations["getServerSubscription"];
        /**
         * Subscribe to events of a server, replacing your previous subscription
         * @description At most 1000 servers. Your notification preferences decide whether messages are sent by mail and chat; the subscription alone decides about which events. Owners are notified about their own servers without a subscription, as their preferences say.
         *
         *     An API key needs the scope `servers:write`.
         */
        put: operations["subscribeToServer"];
        post?: never;
        /**
         * End your subscription to a server; succeeds if there was none
         * @description An API key needs the scope `servers:write`.
         */
        delete: operations["unsubscribeFromServer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/opt-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take your server off the directory for good
         * @description Needs the proof of ownership. The listing is removed, and neither sources nor accounts can list the address and query port again until an administrator allows it. It stays in effect if you delete your account.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["optOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/player-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the players of a server over time
         * @description `players` is null, not 0, where no poll was answered.
         */
        get: operations["getPlayerHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/rank": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a server’s place by score, and the numbers that decide it
         * @description All scores fade alike, so a place changes only with votes, players and uptime. Players of an hour count some minutes after its end.
         */
        get: operations["getServerRank"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/rcon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show whether RCON is set up for your server
         * @description An API key needs the scope `rcon`.
         */
        get: operations["getRcon"];
        /**
         * Set the RCON port and password of your server
         * @description They are valid while the server keeps its owner, or the next owner accepts a hand-over with `keepSecrets`. No connection is opened until a command is sent.
         *
         *     An API key needs the scope `rcon`.
         */
        put: operations["configureRcon"];
        /**
         * Send a command to your server and return its answer
         * @description By the protocol of the server’s game (Source RCON, Quake 3 or Rust’s WebRCON), to the server’s own address, within 10 seconds; one command at a time for each server. The audit log keeps every command with its sender and outcome, with passwords in the command hidden. At most 30 commands a minute; 429 after 10 failed commands to one server within 15 minutes. In production your ownership of the server must be verified.
         *
         *     An API key needs the scope `rcon`.
         */
        post: operations["sendRconCommand"];
        /**
         * Remove the RCON port and password of your server
         * @description An API key needs the scope `rcon`.
         */
        delete: operations["removeRcon"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a problem with a server to the people who run the directory
         * @description One open report per user and server; at most 30 reports per hour.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["reportServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/standings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the months in which a server had its best places */
        get: operations["listServerStandings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/vote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whether a visitor may vote for a server now */
        get: operations["getVoteStatus"];
        put?: never;
        /**
         * Vote for a server, once in 24 hours per visitor and server
         * @description After 503 the vote may have been counted; then a retry answers 429 `vote_cooldown`. The directory shows the vote within a second. Besides each visitor’s cooldown, the number of votes for one server from one client address in 24 hours is limited; a further vote gets 429 `rate_limited` and is not recorded. Owners who vote for their players from their own server send an API key: their votes for their own server are exempt from that limit and marked in `listVotes`. Where `getVoteChallenge` requires it, each vote needs a `proof` of work, except those of owners; a proof counts once, also if the vote is refused.
         *
         *     An API key needs the scope `votes`.
         */
        post: operations["vote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/vote-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the vote keys of your server, without the keys themselves
         * @description An API key needs the scope `votes`.
         */
        get: operations["listVoteKeys"];
        put?: never;
        /**
         * Make a vote key for the reward plugins of your server, or replace it
         * @description For `/plugins/votes`. The key is in the reply only. One that it replaces stays valid for a day, so that plugins can be changed one after the other; an older one ends at once. A key is valid while the server is listed and keeps its owner, or the next owner accepts a hand-over with `keepSecrets`.
         *
         *     An API key needs the scope `votes`.
         */
        post: operations["createVoteKey"];
        /**
         * Revoke all vote keys of your server; succeeds if there is none
         * @description An API key needs the scope `votes`.
         */
        delete: operations["revokeVoteKeys"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/vote-rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the commands that reward votes on your server
         * @description An API key needs the scope `rcon`.
         */
        get: operations["getVoteRewards"];
        /**
         * Set the commands that reward votes
         * @description By RCON, which must be set up. For each vote the commands are sent at most once: if it is unknown whether one ran, it is not sent again. While the game server can’t be reached they wait, for up to four hours. In the commands `{username}`, `{gamePlatformId}` and `{votes}` (how often this player has voted) and `{streak}` (on how many days in a row) are replaced. Voters type their names, so a vote is rewarded only if the values consist of letters from A to Z, digits and `_ . -` (`:` too in ids). The audit log keeps what was sent.
         *
         *     An API key needs the scope `rcon`.
         */
        put: operations["setVoteRewards"];
        post?: never;
        /**
         * Delete the reward commands; succeeds if there are none
         * @description An API key needs the scope `rcon`.
         */
        delete: operations["removeVoteRewards"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/vote-rewards/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rewards of votes for your server with what became of each, newest first
         * @description An API key needs the scope `rcon`.
         */
        get: operations["listVoteRewards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/vote/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a challenge to solve before a vote, where the directory requires it
         * @description An ALTCHA challenge (proof of work, version 2) for one vote for this server, valid for ten minutes. `<altcha-widget challenge="…/vote/challenge">` solves it; so does any program: find a counter whose key, PBKDF2 of the nonce and the counter, begins with `keyPrefix`.
         */
        get: operations["getVoteChallenge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/vote/mail-reminder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a mail when you can vote for a server again
         * @description After a vote. A reminder is sent when the cooldown ends, unless you have voted by then; after three without a vote there are no more. `id` ends them, and so does each reminder with one click. A second request replaces the first.
         */
        post: operations["remindByMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/vote/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the delivery and reward status of your last vote
         * @description Server-Sent Events: whether the vote has reached the server, and whether its reward was given. It ends when both are decided, at the latest after a minute. Only the voter knows the `visitorId` that it needs.
         */
        get: operations["followVote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/vote/reminder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a push reminder to vote again
         * @description After a vote. A reminder is sent when the cooldown ends, unless you have voted by then; after three without a vote there are no more. `id` ends them, and so does each reminder with one click. A second request replaces the first.
         */
        post: operations["remindByPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/votes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the votes for your server in counting order, or latest first
         * @description To miss none, keep the last `nextCursor` that was not null and continue from there: later votes come after it. An empty page means that there are no more votes yet. With `order=desc` each page leads to earlier votes, and `nextCursor` is null after the first vote. A cursor is a vote’s place: with the other `order` it leads to the votes on its other side.
         *
         *     An API key needs the scope `votes`.
         */
        get: operations["listVotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/votes/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get whether a player voted for your server, and their unclaimed votes
         * @description By exactly one of `gamePlatformId` and `username`. Names that differ in case only are one player’s, except in OpenTTD and Terraria; identifiers of Steam are compared as SteamID64, in whatever form. Voters enter both themselves; they are not verified.
         *
         *     An API key needs the scope `votes`.
         */
        get: operations["checkVoter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/votes/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a voter’s votes to reward them
         * @description Each vote is claimed once, even by simultaneous requests. Reward exactly the votes of the reply; another request returns only later votes. At most 1000 at once. Names and identifiers are compared as in `checkVoter`.
         *
         *     An API key needs the scope `votes`.
         */
        post: operations["claimVotes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/votes/top": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the named voters with the most votes for a server in a month */
        get: operations["listTopVoters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/votes/top.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the voters of your server in a month as CSV, most votes first
         * @description RFC 4180 with a head. Voters with a name, distinguished as in `listTopVoters`, and those who gave only a platform id; those who gave neither are not in it. At most 10000. `gamePlatformId` is the one that a voter gave most. Voters enter both themselves; they are not verified. A text that a spreadsheet would read as a formula has an apostrophe in front.
         *
         *     An API key needs the scope `votes`.
         */
        get: operations["getTopVotersCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a server’s webhook, without its secret
         * @description An API key needs the scope `endpoints`.
         */
        get: operations["getWebhook"];
        /**
         * Set the URL that events of a server are posted to
         * @description The first time, the reply has the secret that signs deliveries by Standard Webhooks. Setting the webhook again keeps the secret, and enables a disabled webhook. It is the first of the server’s endpoints of the kind `standard`.
         *
         *     An API key needs the scope `endpoints`.
         */
        put: operations["setWebhook"];
        post?: never;
        /**
         * Delete a server’s webhook and cancel its pending deliveries
         * @description An API key needs the scope `endpoints`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/webhook/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a server’s webhook and their attempts, newest first; kept for 30 days
         * @description An API key needs the scope `endpoints`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/webhook/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, with the same id
         * @description At most 20 tests and redeliveries a minute.
         *
         *     An API key needs the scope `endpoints`.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/webhook/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a server’s webhook; the previous one also signs for 24 hours
         * @description An API key needs the scope `endpoints`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a `webhook.test` event to a server’s webhook
         * @description The reply does not wait for the delivery. At most 20 tests and redeliveries a minute.
         *
         *     An API key needs the scope `endpoints`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/wipe-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List when a server was wiped, latest first */
        get: operations["listWipes"];
        put?: never;
        /**
         * Add a wipe of your server; 200 if it is already known
         * @description A wipe of the same kind within an hour of another is the same wipe. A wipe that a poll detected becomes yours if you add it within six hours of it. At most 30 per hour.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["addWipe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/{id}/wipe-history/{wipeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a wipe of your server that was added by mistake or detected wrongly
         * @description Notifications that were sent about it stay.
         *
         *     An API key needs the scope `servers:write`.
         */
        delete: operations["removeWipe"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes since your last request
         * @description Start without a cursor, then send the cursor of the last page. When `hasMore` is false you have what `GET /servers` lists, except `rank` and `score`. A server may be sent again unchanged. Cursors are valid at every process, also after restarts. `cursor_expired`: discard your copy and start again without a cursor.
         */
        get: operations["listServerChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count servers by game, map, region, country, mode, tag and ownership
         * @description Takes the filters of `GET /servers`. Each facet is counted without the filter by itself, so that its other values can be chosen. Maps, regions and tags that differ only in case or accents count as one, as the oldest server with it spells it.
         */
        get: operations["countServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/featured": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List featured servers, most votes first */
        get: operations["listFeaturedServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look up to 1000 servers by id or address */
        post: operations["lookUpServers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query an address as polls do, before listing it
         * @description Saves nothing. Waits up to 14 seconds for the server; 503 if no worker could query it by then. The name is as the server gives it. `unresolved`: the name leads to no public address. At most 10 per minute. Limits that `probeServer` and `recognizeServer` share: 20 calls per minute and 120 per hour of a client address, and 12 per minute about a server address from all callers.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["probeServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/recognize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find out which game server answers at an address or join link, before listing it
         * @description Saves nothing. Asks for the games that are likely at the port, at most 8 times, and never at other ports than the typed one, the next one, the usual ones of a game, `queryPort`, and that of a server that is listed with the typed port. Only a server that uses the typed port, or answers at `queryPort`, counts as an answer. At most 10 per minute. Limits that `probeServer` and `recognizeServer` share: 20 calls per minute and 120 per hour of a client address, and 12 per minute about a server address from all callers.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["recognizeServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream changes as they happen
         * @description Server-Sent Events, from now on or from `Last-Event-ID` on. A comment every 15 s shows that the stream is alive. A client that stops reading is disconnected and can resume. `cursor_expired`: start again with `GET /servers/changes`; a stream with `ids` sends all of these servers instead, and those that are not listed as `removed`. `too_many_streams`: the address, or the account of the API key, has the maximum number of open streams.
         */
        get: operations["streamServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/servers/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Suggest servers for a partial name
         * @description Names that start with `q`, then names with a word that does, then names that contain it; each group in the order of `GET /servers`. Without `q`: most votes in the last 24 hours first, then that order.
         */
        get: operations["suggestServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/standings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the servers with the most votes in a month
         * @description Votes for servers that left the directory since, or changed their game, change nothing in a finished month: its places stay, unless votes of it are voided (`correctedAt`).
         */
        get: operations["listStandings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get totals by game and country, with the last 24 hours
         * @description Made at most once a minute. The hours come from hourly totals, which are kept for 32 days.
         */
        get: operations["getStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete your account; your servers stay listed without an owner, and unverified
         * @description Deletes the profile, sessions, API keys, favorites, notifications, claims, webhooks, bids and ad placements of the account; a subscription is canceled within an hour. This can’t be undone. A verified e-mail address gets a mail. Clears the cookie. A wrong password is 401 `invalid_credentials`, and 429 after 5 of them in 15 minutes; an account without one sends `{}`, and if it has no second factor either, within ten minutes after a login (else 403 `confirmation_needed`). `administrator_account`: an administrator can’t delete their account.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the favorites that have alerts
         * @description An API key needs the scope `read`.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your API keys, newest first */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description At most 25 at a time, and 100 created in 24 hours. A verified e-mail address gets a mail.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an API key with its scopes */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /** Revoke an API key permanently */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        /** Rename an API key, change its scopes, deactivate or activate it */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/user/auctions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List auctions you bid on, with your highest bid and your offer to pay; running ones by their end first
         * @description An API key needs the scope `read`.
         */
        get: operations["listOwnAuctions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download everything that is stored about your account
         * @description One JSON file, which browsers save. Contains no secrets. For passwords, keys, tokens and webhook addresses it lists the other stored fields. Of each part at most the newest 10000 entries. At most 10 files per day.
         */
        get: operations["exportPersonalData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/favorites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your favorite servers, last added first
         * @description An API key needs the scope `read`.
         */
        get: operations["listFavorites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations and offers that wait for your answer
         * @description Those to your e-mail address are listed once it is verified.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/invitations/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation, or a server that was offered to you
         * @description A server that you accept counts against the servers of your account. Votes, history and placements stay with it, and its proof of ownership.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/invitations/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decline an invitation, or a server that was offered to you */
        post: operations["declineInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/memberships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the servers of others whose team you belong to; oldest first
         * @description An API key needs the scope `read`.
         */
        get: operations["listMemberships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/notification-preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get which notifications you receive, and by which channels */
        get: operations["getNotificationPreferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change which notifications you receive, and by which channels */
        patch: operations["updateNotificationPreferences"];
        trace?: never;
    };
    "/user/notification-preferences/chat-webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get whether you have a chat webhook, and its host */
        get: operations["getChatWebhook"];
        /**
         * Set your chat webhook
         * @description An incoming webhook of Discord or a compatible service, which gets `{ "content": "…" }`. It is used while `chat` of your notification preferences is true, and deleted once it answers 404 or 410.
         */
        put: operations["setChatWebhook"];
        post?: never;
        /** Delete your chat webhook; succeeds if there is none */
        delete: operations["deleteChatWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your notifications, latest first
         * @description An event that repeats before you have read its notification is counted in the same notification.
         *
         *     An API key needs the scope `read`.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark notifications as read
         * @description Ids of other users’ notifications and unknown ids are ignored.
         *
         *     An API key needs the scope `servers:write`.
         */
        post: operations["readNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password, or set the first one
         * @description All other sessions of the account end; this one continues under a new cookie. Open invitations to your servers, and offers to hand one over, are withdrawn: another person may have made them. Members, API keys and linked platforms stay. A wrong current password is 401 `invalid_credentials`. `email_needed`: the account has no e-mail address to log in with. The first password of an account without a second factor needs a login of the last ten minutes (else 403 `confirmation_needed`).
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get your profile */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change your profile */
        patch: operations["updateProfile"];
        trace?: never;
    };
    "/user/push-browsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the browsers that get your alerts, last added first */
        get: operations["listPushBrowsers"];
        put?: never;
        /**
         * Add a push browser
         * @description With its subscription to push messages (`getPushKey`). Adding a browser again replaces its subscription, also if it belonged to another account. It gets alerts until its session is ended (`logout`, `endSession`); a session that expires does not end them. Of more than 10 browsers the oldest is removed.
         */
        post: operations["addPushBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/push-browsers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a push browser */
        delete: operations["removePushBrowser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the second factors of your account */
        get: operations["getSecondFactor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/second-factor/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a secret for an app that shows one-time codes
         * @description RFC 6238: six digits, SHA-1, 30 seconds. It counts once a code has confirmed it, within an hour. The first one needs the account’s password or, if it has none, a login of the last ten minutes (else 403 `confirmation_needed`); `setup_code_needed`: and a setup code, if its rights need it. It ends all other sessions (API keys, members of teams and open invitations stay) and comes with ten recovery codes; a further one needs a confirmation within ten minutes.
         */
        post: operations["beginOneTimeCodes"];
        /** Remove one-time codes; with the last second factor the recovery codes are gone too */
        delete: operations["removeOneTimeCodes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/second-factor/codes/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set one-time codes up with a code of the app
         * @description A wrong code is 401 `invalid_credentials`. `not_begun`: there is no secret to confirm.
         */
        post: operations["confirmOneTimeCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm your second factor before an irreversible operation
         * @description Operations that answer 403 `confirmation_needed` are then allowed in this session for ten minutes, as after a login. A wrong answer is 401 `invalid_credentials`; limits as for `POST /auth/second-step`.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/second-factor/confirm/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get passkey request options for a confirmation
         * @description For `navigator.credentials.get`. They are valid for one answer, within six minutes.
         */
        post: operations["beginPasskeyConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/second-factor/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add the passkey that a browser has made
         * @description `passkey_refused`: it is not the answer to the options that this session got last, or not of this site; `too_many_passkeys`: an account may have 20.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/second-factor/passkeys/{passkeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a passkey; with the last second factor the recovery codes are gone too */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        /** Rename a passkey */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/user/second-factor/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get passkey creation options
         * @description For `navigator.credentials.create`. They are valid for one passkey, within six minutes. The first one needs the account’s password or, if it has none, a login of the last ten minutes (else 403 `confirmation_needed`); `setup_code_needed`: and a setup code, if its rights need it. It ends all other sessions (API keys, members of teams and open invitations stay) and comes with ten recovery codes; a further one needs a confirmation within ten minutes.
         */
        post: operations["beginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get ten new recovery codes; earlier ones no longer work
         * @description `second_factor_off`: the account has no second factor.
         */
        post: operations["replaceRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your servers; oldest first
         * @description An API key needs the scope `read`.
         */
        get: operations["listOwnedServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions; this one first, then the last used
         * @description Browser, system and country are those of the first request with the session. `lastUsedAt` is up to ten minutes old. Addresses are not stored.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * Log out everywhere else
         * @description Ends all other sessions of your account; this one continues. API keys, members of teams and open invitations stay.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description The session ends at once. API keys, members of teams and open invitations stay. If it is the one of this request, the cookie is cleared.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get your tier and the subscription that gives it */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        /** Cancel your subscription at the end of the paid period; the tier stays until then */
        delete: operations["cancelSubscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/subscription/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open the payment provider’s page for your subscription, payment methods and invoices */
        post: operations["openSubscriptionPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/unlink/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlink the identity of the chat platform from your account
         * @description Ends the sessions opened by this identity, except this one. `last_login_method`: no other way to log in is left. An account with neither a password nor a second factor needs a login of the last ten minutes (else 403 `confirmation_needed`).
         */
        post: operations["unlinkChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/unlink/gameplatform": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlink the identity of the game platform from your account
         * @description Ends the sessions opened by this identity, except this one. `last_login_method`: no other way to log in is left. An account with neither a password nor a second factor needs a login of the last ten minutes (else 403 `confirmation_needed`).
         */
        post: operations["unlinkGamePlatform"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vote-reminders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a reminder to vote
         * @description 404 when it has ended, by the visitor or by itself.
         */
        get: operations["getVoteReminder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vote-reminders/off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redirect a browser to the page that ends reminders to vote
         * @description For mail programs that open the address of `List-Unsubscribe` instead of posting to it. Ends nothing.
         *
         *     Unknown parameters are ignored.
         */
        get: operations["openVoteReminder"];
        put?: never;
        /**
         * End reminders to vote
         * @description One click, as mail programs offer it by the mail’s `List-Unsubscribe` header (RFC 8058). Bodies are ignored. Doing it again changes nothing.
         *
         *     Unknown parameters are ignored.
         */
        post: operations["endVoteReminder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccentColors: {
            /** @description Of links, borders and buttons */
            accent: string;
            /** @description Of text on a button */
            onAccent: string;
            /** @description Behind what is chosen */
            soft: string;
        };
        AddedEndpoint: {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** Format: uuid */
            id: string;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @constant */
            kind: "standard";
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /**
             * @description Signs deliveries; returned in this reply only
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Complete for the server’s owner, up to the host for others; empty if it can’t be decrypted and must be set again */
            url: string;
        } | {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** @description Empty if it can’t be decrypted and must be set again */
            host: string;
            /** Format: uuid */
            id: string;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @constant */
            kind: "votifier2";
            port: number | null;
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /** Format: date-time */
            updatedAt: string;
        } | {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** @description Empty if it can’t be decrypted and must be set again */
            host: string;
            /** Format: uuid */
            id: string;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @constant */
            kind: "votifier1";
            port: number | null;
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /** Format: date-time */
            updatedAt: string;
        } | {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** Format: uuid */
            id: string;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @constant */
            kind: "discord";
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /** Format: date-time */
            updatedAt: string;
            /** @description Up to the host; empty if it can’t be decrypted and must be set again */
            url: string;
        } | {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** Format: uuid */
            id: string;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @constant */
            kind: "discord-status";
            /** @description The message in the channel */
            message: {
                editedAt: string | null;
                /** @description Why the last attempt failed; null if it did not */
                error: string | null;
                isCreated: boolean;
            };
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /** Format: date-time */
            updatedAt: string;
            /** @description Up to the host; empty if it can’t be decrypted and must be set again */
            url: string;
        };
        AddedSecondFactor: {
            /** @description With the first second factor: ten, returned once; null with further ones */
            recoveryCodes: string[] | null;
        };
        AdminAuction: {
            /** @description Number of valid bids */
            bidCount: number;
            /**
             * @description ISO 4217; amounts are in its cents
             * @constant
             */
            currency: "USD";
            /** @description The highest valid bid; null if there is none */
            currentBid: number | null;
            /**
             * Format: date-time
             * @description No bid is accepted from this time on
             */
            endsAt: string;
            /** @description Whether it has bids, valid or not; then it can’t be changed or deleted, only canceled until it is over */
            hasBids: boolean;
            /** Format: uuid */
            id: string;
            /** @description Masked user name of the highest bidder; once it is over, of the winner, or of the bidder who replaced the winner */
            leadingBidder: string | null;
            location: string;
            /** @description Minimum difference between a bid and the highest previous bid */
            minimumIncrement: number;
            /** @description Offers to pay for the auction, oldest first */
            offers: {
                amount: number;
                /** Format: date-time */
                expiresAt: string;
                /** Format: uuid */
                id: string;
                /** @description When the offer could not be paid, oldest first, at most the newest 20. While one lasts, an open offer does not expire; after it, `expiresAt` is 48 hours later */
                obstacles: components["schemas"]["OfferObstacle"][];
                /** Format: date-time */
                offeredAt: string;
                /** @description State of the refund; null if none was requested here */
                refund: {
                    attempts: number;
                    /** @description Why the last attempt failed; null once the refund succeeded */
                    lastError: string | null;
                    /**
                     * @description `failed`: refund it by hand at the payment provider
                     * @enum {string}
                     */
                    status: "due" | "succeeded" | "failed";
                } | null;
                serverId: string | null;
                /**
                 * @description `expired`: not paid in time; `withdrawn`: the bid was voided, its bidder banned, or paying impossible for 30 days; `refunded`: refunded or disputed; `refund_due`: paid after the auction could no longer be sold; a refund is in progress
                 * @enum {string}
                 */
                status: "open" | "paid" | "expired" | "withdrawn" | "refunded" | "refund_due";
                /** Format: uuid */
                userId: string;
            }[];
            /** @description How long the winner’s server is shown */
            placementDays: number;
            /** @description Whether the weekly round would create it again if it were deleted */
            recurs: boolean;
            /** Format: uuid */
            slotId: string;
            softCloseSeconds: number;
            startingBid: number;
            /** Format: date-time */
            startsAt: string;
            /**
             * @description `active` until it is over, including before it starts
             * @enum {string}
             */
            status: "active" | "completed" | "canceled";
            /** @enum {string} */
            tier: "standard" | "premium" | "enterprise";
            title: string;
            /** @description Server of the winner, or of the bidder who replaced the winner; null until there is one */
            winnerServerId: string | null;
            /** @description What that winner pays or has paid; null until there is one */
            winningBid: number | null;
        };
        AdminAuctionPage: {
            auctions: components["schemas"]["AdminAuction"][];
            pagination: components["schemas"]["Pagination"];
        };
        AdminReport: {
            /** Format: date-time */
            createdAt: string;
            details: string;
            /** @description Suspicious votes that a daily job has found; null for reports of users */
            finding: components["schemas"]["VoteFinding"] | null;
            /** Format: uuid */
            id: string;
            /** @description Whether visitors see the server */
            isListed: boolean;
            /** @description Visible to moderators and administrators only */
            note: string;
            /** @enum {string} */
            reason: "offline" | "spam" | "abuse" | "misleading" | "other" | "votes";
            /** @description Null for findings, if the account was deleted, and for moderators about a server that they own or work on */
            reporterId: string | null;
            /** @description Empty where `reporterId` is null */
            reporterUsername: string;
            /** @description Null for a finding about the votes of all servers */
            serverId: string | null;
            /** @description Empty for a finding about the votes of all servers */
            serverName: string;
            /** @enum {string} */
            status: "open" | "resolved" | "dismissed";
            /** Format: date-time */
            updatedAt: string;
        };
        AdminReportPage: {
            pagination: components["schemas"]["Pagination"];
            reports: components["schemas"]["AdminReport"][];
        };
        AdminServer: {
            consecutiveFailures: number;
            /** Format: date-time */
            createdAt: string;
            currentPlayers: number;
            /** @description Which of these only administrators may unlock */
            facesLockedByAdmin: ("logo" | "banner" | "icon")[];
            game: string;
            gamePort: number;
            /** @description Since when the server is not listed and not polled */
            hiddenAt: string | null;
            /** @description `admin`: only administrators may show it again */
            hiddenBy: ("admin" | "moderator") | null;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            isFeatured: boolean;
            /** @description Whether visitors see the server */
            isListed: boolean;
            isOnline: boolean;
            isVerified: boolean;
            lastOnlineAt: string | null;
            lastPolledAt: string | null;
            /** @description Which pictures were removed and can’t be set */
            lockedFaces: ("logo" | "banner" | "icon")[];
            map: string;
            maxPlayers: number;
            name: string;
            nextPollAt: string | null;
            ownerId: string | null;
            /** @description Empty without an owner */
            ownerUsername: string;
            queryPort: number;
            /** @description Which pictures it has; `icon` is reported by the game server */
            shownFaces: ("logo" | "banner" | "icon")[];
            totalVotes: number;
            /** Format: date-time */
            updatedAt: string;
        };
        AdminServerPage: {
            pagination: components["schemas"]["Pagination"];
            servers: components["schemas"]["AdminServer"][];
        };
        AdminUser: {
            /** @description Not revoked */
            apiKeys: number;
            avatarUrl: string;
            bannedAt: string | null;
            /** @description Empty unless linked */
            chatId: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Empty if there is none */
            email: string;
            emailVerified: boolean;
            /** @description Empty unless linked */
            gamePlatformId: string;
            /** Format: uuid */
            id: string;
            /** @description By another administrator, or by the setting `ADMIN_EMAILS` */
            isAdmin: boolean;
            /** @description By an administrator; stays while the account is an administrator too */
            isModerator: boolean;
            ownedServers: number;
            /** @description Active sessions */
            sessions: number;
            /** @enum {string} */
            tier: "free" | "standard" | "premium" | "enterprise";
            username: string;
        };
        AdminUserPage: {
            pagination: components["schemas"]["Pagination"];
            users: components["schemas"]["AdminUser"][];
        };
        AdSlot: {
            /** @description Pixels */
            height: number;
            /** Format: uuid */
            id: string;
            /** @description While a slot is inactive, it is not auctioned and its placements are not displayed */
            isActive: boolean;
            location: string;
            name: string;
            /** @enum {string} */
            tier: "standard" | "premium" | "enterprise";
            /** @description Pixels */
            width: number;
        };
        AdSlotPage: {
            adSlots: components["schemas"]["AdSlot"][];
            pagination: components["schemas"]["Pagination"];
        };
        AlertSettings: {
            /**
             * @description When the server is back after an outage of ten minutes or more
             * @default false
             */
            backOnline: boolean;
            /**
             * @description When at least so many people play; null: no alert
             * @default null
             */
            playersAtLeast: number | null;
            /**
             * @description When at most so many people play; null: no alert
             * @default null
             */
            playersAtMost: number | null;
            /**
             * @description When its next wipe is less than an hour away
             * @default false
             */
            wipeSoon: boolean;
        };
        AlertSettingsOutput: {
            /**
             * @description When the server is back after an outage of ten minutes or more
             * @default false
             */
            backOnline: boolean;
            /**
             * @description When at least so many people play; null: no alert
             * @default null
             */
            playersAtLeast: number | null;
            /**
             * @description When at most so many people play; null: no alert
             * @default null
             */
            playersAtMost: number | null;
            /**
             * @description When its next wipe is less than an hour away
             * @default false
             */
            wipeSoon: boolean;
        };
        ApiKey: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            isActive: boolean;
            /**
             * @description The public half of the credential
             * @example sd_4fKq0Zt7mVbX2sR9cLwYpE3d
             */
            key: string;
            name: string;
            /** @description Requests per minute that the tier allows, for all keys of the account together */
            rateLimit: number;
            /**
             * @description The owner’s subscription tier
             * @enum {string}
             */
            tier: "free" | "standard" | "premium" | "enterprise";
        };
        ApiKeyItem: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            isActive: boolean;
            /**
             * @description The public half of the credential
             * @example sd_4fKq0Zt7mVbX2sR9cLwYpE3d
             */
            key: string;
            /** @description Accurate to a minute; null if it was never used */
            lastUsedAt: string | null;
            name: string;
            /** @description Requests per minute that the tier allows, for all keys of the account together */
            rateLimit: number;
            /**
             * @description The owner’s subscription tier
             * @enum {string}
             */
            tier: "free" | "standard" | "premium" | "enterprise";
        };
        Appearance: {
            /** @description As it was given; null: the product’s */
            accent: string | null;
            /** @description What becomes of the accent in both themes, so that it can be read (WCAG AA); null without one */
            colors: {
                dark: components["schemas"]["AccentColors"];
                light: components["schemas"]["AccentColors"];
            } | null;
            imprintUrl: string;
            introduction: string;
            logo: components["schemas"]["SiteLogo"];
            /** @description Empty: the product’s */
            name: string;
            privacyUrl: string;
            /** @description null: never changed */
            updatedAt: string | null;
        };
        Auction: {
            /** @description Number of valid bids */
            bidCount: number;
            /**
             * @description ISO 4217; amounts are in its cents
             * @constant
             */
            currency: "USD";
            /** @description The highest valid bid; null if there is none */
            currentBid: number | null;
            /**
             * Format: date-time
             * @description No bid is accepted from this time on
             */
            endsAt: string;
            /** Format: uuid */
            id: string;
            /** @description Masked user name of the highest bidder; once it is over, of the winner, or of the bidder who replaced the winner */
            leadingBidder: string | null;
            location: string;
            /** @description Minimum difference between a bid and the highest previous bid */
            minimumIncrement: number;
            /** @description How long the winner’s server is shown */
            placementDays: number;
            startingBid: number;
            /** Format: date-time */
            startsAt: string;
            /**
             * @description `active` until it is over, including before it starts
             * @enum {string}
             */
            status: "active" | "completed" | "canceled";
            /** @enum {string} */
            tier: "standard" | "premium" | "enterprise";
            title: string;
            /** @description Server of the winner, or of the bidder who replaced the winner; null until there is one */
            winnerServerId: string | null;
            /** @description What that winner pays or has paid; null until there is one */
            winningBid: number | null;
        };
        AuctionDetail: {
            /** @description Number of valid bids */
            bidCount: number;
            /** @description The 100 highest valid bids, highest first */
            bids: components["schemas"]["BidRecord"][];
            /**
             * @description ISO 4217; amounts are in its cents
             * @constant
             */
            currency: "USD";
            /** @description The highest valid bid; null if there is none */
            currentBid: number | null;
            /**
             * Format: date-time
             * @description No bid is accepted from this time on
             */
            endsAt: string;
            /** Format: uuid */
            id: string;
            /** @description Masked user name of the highest bidder; once it is over, of the winner, or of the bidder who replaced the winner */
            leadingBidder: string | null;
            location: string;
            /** @description Minimum difference between a bid and the highest previous bid */
            minimumIncrement: number;
            /** @description How long the winner’s server is shown */
            placementDays: number;
            startingBid: number;
            /** Format: date-time */
            startsAt: string;
            /**
             * @description `active` until it is over, including before it starts
             * @enum {string}
             */
            status: "active" | "completed" | "canceled";
            /** @enum {string} */
            tier: "standard" | "premium" | "enterprise";
            title: string;
            /** @description Server of the winner, or of the bidder who replaced the winner; null until there is one */
            winnerServerId: string | null;
            /** @description What that winner pays or has paid; null until there is one */
            winningBid: number | null;
        };
        AuditRecord: {
            action: string;
            /** Format: uuid */
            actorId: string;
            /** @description The current name; empty if the account was deleted */
            actorUsername: string;
            /** Format: date-time */
            at: string;
            /** @description For a change, the changed fields in `before` and `after` */
            details: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            id: string;
            targetId: string;
            targetType: string;
        };
        AuditRecordPage: {
            entries: components["schemas"]["AuditRecord"][];
            pagination: components["schemas"]["Pagination"];
        };
        Bid: {
            /** Format: uuid */
            auctionId: string;
            bidAmount: number;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            placedAt: string;
            serverId: string | null;
        };
        BiddingBarred: {
            /**
             * Format: date-time
             * @description The account did not pay for an auction it won; it can bid again from this time on
             */
            barredUntil: string;
            /** @description RFC 9457: the same as `message` */
            detail: string;
            /** @constant */
            error: "bidding_barred";
            /** @description RFC 9457: `#` and the `X-Request-Id` of the reply */
            instance: string;
            message: string;
            /** @description RFC 9457: the status of the reply */
            status: number;
            /** @description RFC 9457: the code in words */
            title: string;
            /** @description RFC 9457: `urn:problem-type:server-directory:` and the code */
            type: string;
        };
        BidRecord: {
            bidAmount: number;
            /** @description Masked user name */
            bidder: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            placedAt: string;
        };
        BidTooHigh: {
            currentBid: number | null;
            /** @description RFC 9457: the same as `message` */
            detail: string;
            /** @constant */
            error: "bid_too_high";
            /** @description RFC 9457: `#` and the `X-Request-Id` of the reply */
            instance: string;
            /** @description The highest bid that is accepted now */
            maximumBid: number;
            message: string;
            /** @description RFC 9457: the status of the reply */
            status: number;
            /** @description RFC 9457: the code in words */
            title: string;
            /** @description RFC 9457: `urn:problem-type:server-directory:` and the code */
            type: string;
        };
        BidTooLow: {
            currentBid: number | null;
            /** @description RFC 9457: the same as `message` */
            detail: string;
            /** @constant */
            error: "bid_too_low";
            /** @description RFC 9457: `#` and the `X-Request-Id` of the reply */
            instance: string;
            message: string;
            /** @description The lowest bid that is accepted now */
            minimumBid: number;
            /** @description RFC 9457: the status of the reply */
            status: number;
            /** @description RFC 9457: the code in words */
            title: string;
            /** @description RFC 9457: `urn:problem-type:server-directory:` and the code */
            type: string;
        };
        ChatWebhook: {
            /** @description Host of the address; the rest is a secret and never returned. Empty if none is set */
            host: string;
            isSet: boolean;
        };
        CheckoutSession: {
            sessionId: string;
            /**
             * Format: uri
             * @description Page at the payment provider
             */
            url: string;
        };
        CheckoutState: {
            /** @description Whether a payment is on its way that takes days, such as a bank debit */
            isProcessing: boolean;
            /**
             * @description `open`: no payment is known yet; `expired`: it can no longer be paid; `disputed`: the payer disputes the payment. Follows the payment provider within seconds
             * @enum {string}
             */
            status: "open" | "paid" | "expired" | "refunded" | "disputed";
        };
        Claim: {
            /** @description When the server was last checked for the token */
            checkedAt: string | null;
            /** @description When a pending claim expires, or when it expired */
            expiresAt: string | null;
            /** @description What the last check found while the claim is pending. `token_missing`: the server answered without the token; `several_answers`: it gave several answers to one query, so none of them proves anything; `token_found`: it becomes yours at `takeoverAt` */
            lastCheck: ("token_missing" | "silent" | "several_answers" | "token_found") | null;
            /** @description What to do next, for people */
            message: string;
            /**
             * @description `verified` while your proof of ownership holds; `none` also after another user took the server over
             * @enum {string}
             */
            status: "none" | "pending" | "verified" | "expired";
            /** @description If another user has proven the server: the earliest time at which it becomes yours, provided that it keeps showing the token and that owner, who is warned, does not stop the claim. Becomes earlier once the warning mail was sent */
            takeoverAt: string | null;
            /** @description While pending */
            verificationToken: string | null;
        };
        ComparedServer: {
            /** @description The banner, uploaded or downloaded from `bannerUrl`: WebP of 960×240 pixels, which never changes */
            bannerImageUrl: string | null;
            /** @description The banner’s address, as the owner gave it; empty if there is none */
            bannerUrl: string;
            chatUrl: string;
            /**
             * @description What players type: without a port where the game’s client needs none
             * @example play.example.org
             * @example 203.0.113.5:27015
             * @example [2001:db8::1]:27015
             */
            connectAddress: string;
            /** @description Consecutive polls without an answer */
            consecutiveFailures: number;
            /** @description Country of the address (ISO 3166-1 alpha-2); empty if unknown */
            country: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            currentBots: number;
            /** @description People; bots are not counted */
            currentPlayers: number;
            description: string;
            /** @description Of a Minecraft server for players of both editions: whether each answered the last poll. `currentPlayers` is that of Java, or of Bedrock if only that one answered. Null for all other servers */
            editions: {
                bedrock: components["schemas"]["ServerEdition"];
                java: components["schemas"]["ServerEdition"];
            } | null;
            /** @description gamedig type id */
            game: string;
            /** @enum {string} */
            gameMode: "PvP" | "PvE" | "PvPvE" | "";
            gameName: string;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** @description Whether players need a password; null if the game server does not report it */
            hasPassword: boolean | null;
            /** @description The game server’s icon: a PNG image of at most 64×64 pixels, which never changes */
            iconUrl: string | null;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            /** @description Whether an account owns the server */
            isClaimed: boolean;
            isFeatured: boolean;
            isOnline: boolean;
            /** @description Whether the region is the country’s continent */
            isRegionDerived: boolean;
            /** @description Whether the server was never polled, or its next poll is overdue by two poll intervals (of 60 seconds, unless the operator set another). Servers that do not answer are polled less often, up to every 15 minutes */
            isStale: boolean;
            isVerified: boolean;
            /**
             * @description Opens the game and joins the server; null for games without such a link
             * @example steam://connect/203.0.113.5:27015
             */
            joinUrl: string | null;
            lastPolledAt: string | null;
            lastWipeAt: string | null;
            /** @description A picture that stands for the server, which never changes: its logo, WebP of 128×128 pixels, or with `-64.webp` instead of `.webp` of 64×64; without a logo the same as `iconUrl` */
            logoUrl: string | null;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            /** @description Comma-separated */
            mods: string;
            /** @description Votes in this calendar month (UTC) */
            monthlyVotes: number;
            /** @description The game server’s message of the day, without its formatting; empty if it has none */
            motd: string;
            /** @description `motd` with Minecraft’s formatting codes, such as `§a`, and `§#ff8800` for other colours */
            motdFormatted: string;
            name: string;
            /** @description When the server wipes next, as its owner says; null if that is not known */
            nextWipeAt: string | null;
            /** @description Highest player count in the last 24 hours; null if no poll was answered */
            peak24h: number | null;
            /** @description Round trip of the last answered poll in milliseconds, as the worker measured it; null if it was not measured */
            queryMs: number | null;
            queryPort: number;
            /** @description Rank by votes among all servers; 1 has the most */
            rank: number;
            /**
             * @description Comma-separated `name:number` pairs
             * @example xp:5,taming:10,harvest:3
             */
            rates: string;
            /** @description As the owner gave it, else the country’s continent; empty if unknown */
            region: string;
            /** @description By which the site sorts: votes and players, which fade with time, times uptime, as in `GET /servers/{id}/rank` */
            score: number;
            /** @description Fields that the game server reports itself, because the owner left them empty */
            selfReported: ("description" | "website" | "bannerUrl" | "gameMode" | "mods")[];
            /**
             * @description The source that found the server; `owner` for others that an account owns, `import` for others without an owner
             * @example owner
             * @example luanti
             */
            source: string;
            /** @description Comma-separated */
            tags: string;
            totalVotes: number;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            updatedAt: string;
            /** @description Mean of each hour’s share of answered polls; null if unknown */
            uptime: {
                day: number | null;
                month: number | null;
                week: number | null;
            };
            /** @description Version that the game server reports */
            version: string;
            website: string;
        };
        ConfirmedSecondFactor: {
            /** Format: date-time */
            confirmedUntil: string;
        };
        ContactMessage: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            /** Format: uuid */
            id: string;
            /** @description Whether the hidden field was filled in; such a message is not mailed */
            isSuspect: boolean;
            message: string;
            name: string;
            subject: string;
            /** @description Keyed hash of the sender’s address; the same for messages from the same address */
            visitor: string;
        };
        ContactMessagePage: {
            messages: components["schemas"]["ContactMessage"][];
            pagination: components["schemas"]["Pagination"];
        };
        CountryStatistics: {
            /** @description ISO 3166-1 alpha-2 */
            country: string;
            /** @description Players on them now */
            players: number;
            /** @description Mean number of players in each of `hours`; null where no server was polled, as after an outage */
            playersByHour: (number | null)[];
            /** @description Listed servers */
            servers: number;
        };
        CreatedApiKey: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            isActive: boolean;
            /**
             * @description The public half of the credential
             * @example sd_4fKq0Zt7mVbX2sR9cLwYpE3d
             */
            key: string;
            name: string;
            /** @description Requests per minute that the tier allows, for all keys of the account together */
            rateLimit: number;
            /** @description Returned in this response only */
            secret: string;
            /**
             * @description The owner’s subscription tier
             * @enum {string}
             */
            tier: "free" | "standard" | "premium" | "enterprise";
        };
        CursorPagination: {
            limit: number;
            /** @description Null with `cursor` */
            page: number | null;
            total: number;
            totalPages: number;
        };
        DiscoveryBlock: {
            /** Format: date-time */
            createdAt: string;
            game: string | null;
            host: string | null;
            /** Format: uuid */
            id: string;
            /** @description Whether the server’s owner asked for it, with proof. If it has a network and a host, each of the two is blocked */
            isOptOut: boolean;
            namePattern: string | null;
            network: string | null;
            note: string;
            port: number | null;
        };
        DiscoveryBlockPage: {
            blocks: components["schemas"]["DiscoveryBlock"][];
            pagination: components["schemas"]["Pagination"];
        };
        DiscoverySource: {
            /** @description New ones among them */
            added: number;
            /** @description What to do; empty if the verdict is `ok` */
            advice: string;
            /** @description Why the last run failed; null if it succeeded */
            error: string | null;
            /** @description Failed runs in a row; each doubles the wait, up to six hours */
            failures: number;
            /** @description Null while a run lasts */
            finishedAt: string | null;
            /** @description Servers that the last successful run found */
            found: number;
            /** @description Whether the setting DISCOVER names it */
            isEnabled: boolean;
            /** @description Unclaimed servers of this source that are listed now */
            listed: number;
            /** @description Listed servers of this source that the run did not find; they stay listed while they answer */
            missing: number;
            nextRunAt: string | null;
            /** @description How many were not listed, by reason */
            refused: {
                [key: string]: number;
            };
            /** @description Those that were forgotten and answer again */
            returned: number;
            /** @example luanti */
            source: string;
            /** @description Of the last run; null: none so far */
            startedAt: string | null;
            /**
             * @description `stuck`: a run did not end; `late`: no worker runs it; `failing`: its runs fail, or find less than half of what is listed; otherwise `ok`
             * @enum {string}
             */
            verdict: "ok" | "late" | "failing" | "stuck";
        };
        Endpoint: {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** Format: uuid */
            id: string;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @constant */
            kind: "standard";
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /** Format: date-time */
            updatedAt: string;
            /** @description Complete for the server’s owner, up to the host for others; empty if it can’t be decrypted and must be set again */
            url: string;
        } | {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** @description Empty if it can’t be decrypted and must be set again */
            host: string;
            /** Format: uuid */
            id: string;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @constant */
            kind: "votifier2";
            port: number | null;
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /** Format: date-time */
            updatedAt: string;
        } | {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** @description Empty if it can’t be decrypted and must be set again */
            host: string;
            /** Format: uuid */
            id: string;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @constant */
            kind: "votifier1";
            port: number | null;
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /** Format: date-time */
            updatedAt: string;
        } | {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** Format: uuid */
            id: string;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @constant */
            kind: "discord";
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /** Format: date-time */
            updatedAt: string;
            /** @description Up to the host; empty if it can’t be decrypted and must be set again */
            url: string;
        } | {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** Format: uuid */
            id: string;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @constant */
            kind: "discord-status";
            /** @description The message in the channel */
            message: {
                editedAt: string | null;
                /** @description Why the last attempt failed; null if it did not */
                error: string | null;
                isCreated: boolean;
            };
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /** Format: date-time */
            updatedAt: string;
            /** @description Up to the host; empty if it can’t be decrypted and must be set again */
            url: string;
        };
        Endpoints: {
            endpoints: components["schemas"]["Endpoint"][];
        };
        /**
         * @example {
         *       "error": "not_found",
         *       "message": "There is no such server.",
         *       "type": "urn:problem-type:server-directory:not_found",
         *       "title": "Not found",
         *       "status": 404,
         *       "detail": "There is no such server.",
         *       "instance": "#019a5f0c-5a77-7bbd-b1c5-6a4f6f6b2f0e"
         *     }
         */
        Error: {
            /** @description RFC 9457: the same as `message` */
            detail: string;
            /** @description What is wrong where, at most 50; only with `validation_failed` */
            details?: {
                message: string;
                /** @description `limit`, `body.name` */
                path: string;
            }[];
            /** @description Stable code, for programs; each operation lists its own in `x-errors` */
            error: string;
            /** @description RFC 9457: `#` and the `X-Request-Id` of the reply */
            instance: string;
            /** @description One sentence, for people */
            message: string;
            /** @description RFC 9457: the status of the reply */
            status: number;
            /** @description RFC 9457: the code in words */
            title: string;
            /** @description RFC 9457: `urn:problem-type:server-directory:` and the code */
            type: string;
        };
        Facets: {
            /** @description Country codes: the 50 that most servers have */
            country: components["schemas"]["FacetValue"][];
            /** @description gamedig type ids: the 50 that most servers have */
            game: components["schemas"]["GameFacetValue"][];
            /** @description Game modes: the 50 that most servers have */
            gameMode: components["schemas"]["FacetValue"][];
            /** @description `true` and `false`: the 50 that most servers have */
            isClaimed: components["schemas"]["FacetValue"][];
            /** @description Maps: the 50 that most servers have */
            map: components["schemas"]["FacetValue"][];
            /** @description Regions, also derived ones: the 50 that most servers have */
            region: components["schemas"]["FacetValue"][];
            /** @description Tags: the 50 that most servers have */
            tags: components["schemas"]["FacetValue"][];
        };
        FacetValue: {
            servers: number;
            value: string;
        };
        FailedJob: {
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            failedAt: string | null;
            /** Format: uuid */
            id: string;
            /** @description Its data; never a secret */
            payload: unknown;
            /** @description The queue that keeps it: the queue itself or its dead letter queue */
            queue: string;
            /** @description Error message of the last attempt */
            reason: string;
        };
        FailedJobPage: {
            jobs: components["schemas"]["FailedJob"][];
            pagination: components["schemas"]["Pagination"];
        };
        Favorite: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            serverId: string;
            /** Format: uuid */
            userId: string;
        };
        FavoriteServer: {
            /** @description People; bots are not counted */
            currentPlayers: number;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            isOnline: boolean;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            name: string;
        };
        FeaturedServer: {
            country: string;
            /** @description People; bots are not counted */
            currentPlayers: number;
            game: string;
            gameName: string;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            isOnline: boolean;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            name: string;
        };
        FirstStep: {
            isDone: boolean;
            /**
             * @description `administrator`: become one; `import`: list servers by hand; `sources`: let sources find servers; `demo`: list simulated ones; `mail`: set a mail server; `appearance`: give the site a name, a colour or a logo
             * @enum {string}
             */
            name: "administrator" | "import" | "sources" | "demo" | "mail" | "appearance";
        };
        Game: {
            /** @description Where players usually connect; null if unknown */
            gamePort: number | null;
            /**
             * @description gamedig type id, as `game` of servers and of filters
             * @example ase
             */
            id: string;
            name: string;
            /** @description Players on them now */
            players: number;
            /** @description The gamedig protocol that queries it */
            protocol: string;
            /** @description Where queries are usually answered; null if unknown */
            queryPort: number | null;
            /** @description Listed servers */
            servers: number;
        };
        GameFacetValue: {
            name: string;
            servers: number;
            value: string;
        };
        GameStatistics: {
            /** @description gamedig type id */
            game: string;
            gameName: string;
            /** @description Players on them now */
            players: number;
            /** @description Mean number of players in each of `hours`; null where no server was polled, as after an outage */
            playersByHour: (number | null)[];
            /** @description Listed servers */
            servers: number;
        };
        /** @description The process is alive */
        Health: {
            /** @constant */
            status: "ok";
        };
        InviteMember: {
            /**
             * Format: email
             * @description The reply does not depend on whether an account has this address
             */
            email: string;
            /**
             * @description Of a manager: whether they may send RCON commands and set the commands that reward votes
             * @default false
             */
            mayUseRcon: boolean;
            /**
             * @default viewer
             * @enum {string}
             */
            role: "manager" | "viewer";
        } | {
            /**
             * @description Of a manager: whether they may send RCON commands and set the commands that reward votes
             * @default false
             */
            mayUseRcon: boolean;
            /**
             * @default viewer
             * @enum {string}
             */
            role: "manager" | "viewer";
            /** @description Of an account; the only one with this name */
            username: string;
        };
        LoginMethods: {
            /** @description `GET /auth/chat`, in a browser */
            chat: boolean;
            /** @description `GET /auth/gameplatform`, in a browser */
            gameplatform: boolean;
            /** @description `POST /auth/login` */
            password: boolean;
        };
        LookupRequest: {
            /** @description `address:port`, the server’s `ipAddress` (in brackets if it is IPv6), and its `gamePort` or `queryPort` */
            addresses?: string[];
            ids: string[];
        } | {
            /** @description `address:port`, the server’s `ipAddress` (in brackets if it is IPv6), and its `gamePort` or `queryPort` */
            addresses: string[];
            ids?: string[];
        };
        MailSettings: {
            email: boolean;
            events: {
                auctionOutbid: boolean;
                auctionWon: boolean;
                serverOffline: boolean;
                serverOnline: boolean;
                serverWiped: boolean;
                voteMilestone: boolean;
            };
        };
        MemberServer: {
            gamePort: number;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            isOnline: boolean;
            mayUseRcon: boolean;
            /** @description Votes in this calendar month (UTC) */
            monthlyVotes: number;
            name: string;
            /** @description Votes of the last 24 hours */
            recentVotes: number;
            /**
             * @description The caller’s role on this server
             * @enum {string}
             */
            role: "manager" | "viewer";
            totalVotes: number;
        };
        MemberServerPage: {
            pagination: components["schemas"]["Pagination"];
            servers: components["schemas"]["MemberServer"][];
        };
        Message: {
            message: string;
            success: boolean;
        };
        MonthBeforeVoiding: {
            /** @example 2026-10 */
            month: string;
            placeAfter: number | null;
            /** @description Among all servers by the votes of the month; null without votes */
            placeBefore: number | null;
            /** @description Selected votes of this month */
            votes: number;
            votesAfter: number;
            votesBefore: number;
        };
        MonthStanding: {
            /**
             * @description The running month, UTC
             * @example 2026-11
             */
            month: string;
            /** @description Servers with equal votes share a place; null without votes in the month */
            place: number | null;
            /** @description In the month before; null if it had none then, or that month is not ranked yet; for up to an hour also after a hidden server is shown again */
            previousPlace: number | null;
        };
        NewVoteKey: {
            /** Format: date-time */
            createdAt: string;
            startsWith: string;
            /** @description Returned once */
            voteKey: string;
        };
        Notification: {
            /** @description The auction that it is about */
            auctionId: string | null;
            /** @description How often the event happened since the previous notification was read */
            count: number;
            /**
             * Format: date-time
             * @description When the event last happened
             */
            createdAt: string;
            /** @enum {string} */
            event: "serverOffline" | "serverOnline" | "serverWiped" | "voteMilestone" | "auctionOutbid" | "auctionWon" | "auctionLeadRegained" | "serverTakeover" | "serverInvitation" | "serverInvitationWithdrawn" | "serverInvitationDeclined" | "serverMemberJoined" | "serverMemberLeft" | "serverMemberRemoved" | "serverHandedOver" | "votesVoided" | "votesRestored" | "webhookDisabled" | "rewardsStopped" | "playersAtLeast" | "playersAtMost" | "backOnline" | "wipeSoon";
            /** Format: uuid */
            id: string;
            message: string;
            readAt: string | null;
            serverId: string | null;
            title: string;
        };
        NotificationPage: {
            notifications: components["schemas"]["Notification"][];
            pagination: components["schemas"]["Pagination"];
        };
        NotificationPreferences: {
            chat: boolean;
            email: boolean;
            events: {
                auctionOutbid: boolean;
                auctionWon: boolean;
                serverOffline: boolean;
                serverOnline: boolean;
                serverWiped: boolean;
                voteMilestone: boolean;
            };
        };
        OfferObstacle: {
            /** Format: date-time */
            beganAt: string;
            /** @description Null while it lasts */
            endedAt: string | null;
            /**
             * @description `slot_inactive`: the ad slot is inactive; `billing_off`: payments are not set up; `provider_unavailable`: the payment provider did not open a page, or could not be reached when the offer would have expired
             * @enum {string}
             */
            kind: "slot_inactive" | "billing_off" | "provider_unavailable";
        };
        OneTimeCodesSetup: {
            /** @description Base32, to type into the app; returned once */
            secret: string;
            /** @description `otpauth:` address for a QR code */
            uri: string;
        };
        OwnAuction: {
            /** @description Number of valid bids */
            bidCount: number;
            /**
             * @description ISO 4217; amounts are in its cents
             * @constant
             */
            currency: "USD";
            /** @description The highest valid bid; null if there is none */
            currentBid: number | null;
            /**
             * Format: date-time
             * @description No bid is accepted from this time on
             */
            endsAt: string;
            /** Format: uuid */
            id: string;
            /** @description Whether your bid is the highest; once it is over, whether the auction is offered or sold to you */
            isLeading: boolean;
            /** @description Masked user name of the highest bidder; once it is over, of the winner, or of the bidder who replaced the winner */
            leadingBidder: string | null;
            location: string;
            /** @description Minimum difference between a bid and the highest previous bid */
            minimumIncrement: number;
            /** @description Your newest offer to pay; `open`: pay with `payAuction` before `expiresAt`, unless an obstacle lasts */
            offer: {
                amount: number;
                /** Format: date-time */
                expiresAt: string;
                /** @description Whether a payment of an open offer has arrived or is on its way */
                isProcessing: boolean;
                /** @description When the offer could not be paid, oldest first, at most the newest 20. While one lasts, an open offer does not expire; after it, `expiresAt` is 48 hours later */
                obstacles: components["schemas"]["OfferObstacle"][];
                serverId: string | null;
                /**
                 * @description `expired`: not paid in time; `withdrawn`: the bid was voided, its bidder banned, or paying impossible for 30 days; `refunded`: refunded or disputed; `refund_due`: paid after the auction could no longer be sold; a refund is in progress
                 * @enum {string}
                 */
                status: "open" | "paid" | "expired" | "withdrawn" | "refunded" | "refund_due";
            } | null;
            /** @description Your highest valid bid; null if your bids are no longer valid */
            ownBid: number | null;
            /** @description How long the winner’s server is shown */
            placementDays: number;
            startingBid: number;
            /** Format: date-time */
            startsAt: string;
            /**
             * @description `active` until it is over, including before it starts
             * @enum {string}
             */
            status: "active" | "completed" | "canceled";
            /** @enum {string} */
            tier: "standard" | "premium" | "enterprise";
            title: string;
            /** @description Server of the winner, or of the bidder who replaced the winner; null until there is one */
            winnerServerId: string | null;
            /** @description What that winner pays or has paid; null until there is one */
            winningBid: number | null;
        };
        OwnAuctionPage: {
            auctions: components["schemas"]["OwnAuction"][];
            pagination: components["schemas"]["Pagination"];
        };
        OwnedServer: {
            gamePort: number;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            isOnline: boolean;
            /** @description Votes in this calendar month (UTC) */
            monthlyVotes: number;
            name: string;
            /** @description Votes of the last 24 hours */
            recentVotes: number;
            totalVotes: number;
        };
        OwnedServerPage: {
            pagination: components["schemas"]["Pagination"];
            servers: components["schemas"]["OwnedServer"][];
        };
        Pagination: {
            limit: number;
            page: number;
            total: number;
            totalPages: number;
        };
        Passkey: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** @description Its counter went backwards, so there may be a copy: it is not accepted any more; remove it */
            isDisabled: boolean;
            lastUsedAt: string | null;
            name: string;
        };
        PasskeyAssertion: {
            /** @description Ignored */
            authenticatorAttachment?: string | null;
            /** @description Ignored */
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            /** @description Of the passkey, base64url */
            id: string;
            /** @description Of the passkey, base64url */
            rawId: string;
            response: {
                authenticatorData: string;
                clientDataJSON: string;
                signature: string;
                /** @description Ignored: the login names the account */
                userHandle?: string | null;
            };
            /** @constant */
            type: "public-key";
        };
        PasskeyAttestation: {
            /** @description Ignored */
            authenticatorAttachment?: string | null;
            /** @description Ignored */
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            /** @description Of the passkey, base64url */
            id: string;
            /** @description Of the passkey, base64url */
            rawId: string;
            response: {
                attestationObject: string;
                /** @description Ignored */
                authenticatorData?: string;
                clientDataJSON: string;
                /** @description Ignored */
                publicKey?: string | null;
                /** @description Ignored */
                publicKeyAlgorithm?: number;
                /** @description How it can be reached, such as `internal` or `usb` */
                transports?: string[];
            };
            /** @constant */
            type: "public-key";
        };
        PasskeyCreationOptions: {
            /** @constant */
            attestation: "none";
            authenticatorSelection: {
                /** @constant */
                requireResidentKey: false;
                /** @constant */
                residentKey: "preferred";
                /** @constant */
                userVerification: "preferred";
            };
            challenge: string;
            excludeCredentials: {
                /** @description Of the passkey, base64url */
                id: string;
                /** @description How it can be reached, such as `internal` or `usb` */
                transports: string[];
                /** @constant */
                type: "public-key";
            }[];
            pubKeyCredParams: {
                /** @description COSE algorithm */
                alg: number;
                /** @constant */
                type: "public-key";
            }[];
            rp: {
                id: string;
                name: string;
            };
            timeout: number;
            user: {
                displayName: string;
                /** @description Names the account to the authenticator only; not its id */
                id: string;
                name: string;
            };
        };
        PasskeyRequestOptions: {
            allowCredentials: {
                /** @description Of the passkey, base64url */
                id: string;
                /** @description How it can be reached, such as `internal` or `usb` */
                transports: string[];
                /** @constant */
                type: "public-key";
            }[];
            challenge: string;
            rpId: string;
            timeout: number;
            /** @constant */
            userVerification: "preferred";
        };
        PersonalData: {
            /** Format: date-time */
            exportedAt: string;
            /**
             * @description Parts with more entries than a file holds, of which the newest are here; mostly empty
             * @example [
             *       "auditLog"
             *     ]
             */
            incomplete: string[];
            /**
             * @description By what they are, for example `account`, `sessions`, `servers`; entries newest first
             * @example {
             *       "favorites": [
             *         {
             *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
             *           "createdAt": "2026-11-20T12:00:00.000Z"
             *         }
             *       ]
             *     }
             */
            parts: {
                [key: string]: {
                    [key: string]: unknown;
                }[];
            };
        };
        Placement: {
            /** Format: date-time */
            endsAt: string;
            /** Format: uuid */
            id: string;
            /** @description Banner of the server, uploaded here or on another site; empty if it has none */
            imageUrl: string;
            /** @description Website of the server, or its page in this directory (without the site: its data) if it has none */
            linkUrl: string;
            location: string;
            /** Format: uuid */
            serverId: string;
            /** Format: date-time */
            startsAt: string;
            /** @enum {string} */
            tier: "standard" | "premium" | "enterprise";
            /** @description Name of the server */
            title: string;
        };
        PlacementReach: {
            places: {
                location: string;
                /** @description Servers that had a place there in the last seven full days */
                servers: number;
                /** @description Views of the page of such a server on a day with the place */
                viewsPerDay: number;
                /** @description The same in the seven days before its placement began */
                viewsPerDayBefore: number;
            }[];
        };
        PlatformStatistics: {
            onlineServers: number;
            totalPlayers: number;
            totalServers: number;
            totalVotes: number;
        };
        PlayerHistory: {
            /** @description Mean of all answered polls */
            average: number | null;
            /** @description Most players at once */
            peak: number | null;
            /** @description Evenly spaced, oldest first; the last interval has not ended */
            points: {
                /**
                 * Format: date-time
                 * @description Start of the point’s interval
                 */
                at: string;
                maxPlayers: number;
                /** @description Mean of its answered polls; null if there is none */
                players: number | null;
            }[];
            /** @description Mean of each hour’s share of answered polls: a server that is down is polled less often */
            uptime: number | null;
        };
        Price: {
            /** @description Hundredths of the currency, for one period */
            amountCents: number;
            /**
             * @description ISO 4217
             * @example USD
             */
            currency: string;
            /**
             * @description Of the period
             * @enum {string}
             */
            interval: "day" | "week" | "month" | "year";
            /** @description How many intervals a period has */
            intervalCount: number;
            /** @description Requests per minute with API keys */
            rateLimit: number;
            /** @enum {string} */
            tier: "standard" | "premium" | "enterprise";
        };
        PublicServerDetail: {
            chatUrl: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /** @description People; bots are not counted */
            currentPlayers: number;
            description: string;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            isOnline: boolean;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            /** @description Comma-separated */
            mods: string;
            name: string;
            queryPort: number;
            /**
             * @description Comma-separated `name:number` pairs
             * @example xp:5,taming:10,harvest:3
             */
            rates: string;
            totalVotes: number;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            updatedAt: string;
            /** @description Version that the game server reports */
            version: string;
            website: string;
        };
        PushBrowser: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            language: "en" | "de";
        };
        PushKey: {
            /** @description VAPID key (RFC 8292), base64url: `applicationServerKey` of a subscription */
            publicKey: string;
        };
        PushSubscription: {
            /** @description Of a push service that browsers use */
            endpoint: string;
            /** @description Ignored */
            expirationTime?: number | null;
            keys: {
                auth: string;
                p256dh: string;
            };
        };
        QueueJob: {
            /** @description How often a worker began it */
            attempts: number;
            completedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            dueAt: string;
            /** Format: uuid */
            id: string;
            /** @description Its data; never a secret */
            payload: unknown;
            /** @description Error message of the last failed attempt; null if there is none */
            reason: string | null;
            /** @description When the last attempt began */
            startedAt: string | null;
        };
        QueueJobPage: {
            jobs: components["schemas"]["QueueJob"][];
            pagination: components["schemas"]["Pagination"];
        };
        QueueState: {
            /** @description Jobs that a worker handles */
            active: number;
            /** @description What to do; empty if the verdict is `ok` */
            advice: string;
            /** @description Null until a worker has counted the queue */
            completedPerMinute: number | null;
            /** @description Jobs of this queue in its dead letter queue */
            dead: number;
            /** @description The queue that gets its permanently failed jobs */
            deadLetter: string | null;
            /** @description Jobs that are due later, retries included */
            deferred: number;
            /** @description Jobs that failed permanently and are still kept; not those whose work a later run has completed, such as the next run of a scheduled queue */
            failed: number;
            failedPerMinute: number | null;
            /** @description Why the newest of these failed, cut to 200 characters */
            lastReason: string | null;
            /** @description When a job of a scheduled queue was last completed; null if none is kept */
            lastRunAt: string | null;
            /** @description Active jobs whose worker no longer sends heartbeats */
            lostJobs: number;
            name: string;
            /** @description How long the oldest ready job has been ready; null if there is none */
            oldestAgeSeconds: number | null;
            /** @description Jobs that are due */
            ready: number;
            /** @description Cron, UTC */
            schedule: string | null;
            /**
             * @description `stuck`: no worker handles its jobs; `late`: jobs wait too long; `failing`: jobs failed permanently; otherwise `ok`
             * @enum {string}
             */
            verdict: "ok" | "late" | "failing" | "stuck";
        };
        RankedServerDetail: {
            /** @description The banner, uploaded or downloaded from `bannerUrl`: WebP of 960×240 pixels, which never changes */
            bannerImageUrl: string | null;
            /** @description The banner’s address, as the owner gave it; empty if there is none */
            bannerUrl: string;
            chatUrl: string;
            /**
             * @description What players type: without a port where the game’s client needs none
             * @example play.example.org
             * @example 203.0.113.5:27015
             * @example [2001:db8::1]:27015
             */
            connectAddress: string;
            /** @description Consecutive polls without an answer */
            consecutiveFailures: number;
            /** @description Country of the address (ISO 3166-1 alpha-2); empty if unknown */
            country: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            currentBots: number;
            /** @description People; bots are not counted */
            currentPlayers: number;
            description: string;
            /** @description Of a Minecraft server for players of both editions: whether each answered the last poll. `currentPlayers` is that of Java, or of Bedrock if only that one answered. Null for all other servers */
            editions: {
                bedrock: components["schemas"]["ServerEdition"];
                java: components["schemas"]["ServerEdition"];
            } | null;
            /** @description gamedig type id */
            game: string;
            /** @enum {string} */
            gameMode: "PvP" | "PvE" | "PvPvE" | "";
            gameName: string;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** @description Whether players need a password; null if the game server does not report it */
            hasPassword: boolean | null;
            /** @description The game server’s icon: a PNG image of at most 64×64 pixels, which never changes */
            iconUrl: string | null;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            /** @description Whether an account owns the server */
            isClaimed: boolean;
            isFeatured: boolean;
            isOnline: boolean;
            /** @description Whether the region is the country’s continent */
            isRegionDerived: boolean;
            /** @description Whether the server was never polled, or its next poll is overdue by two poll intervals (of 60 seconds, unless the operator set another). Servers that do not answer are polled less often, up to every 15 minutes */
            isStale: boolean;
            isVerified: boolean;
            /**
             * @description Opens the game and joins the server; null for games without such a link
             * @example steam://connect/203.0.113.5:27015
             */
            joinUrl: string | null;
            lastPolledAt: string | null;
            lastWipeAt: string | null;
            /** @description A picture that stands for the server, which never changes: its logo, WebP of 128×128 pixels, or with `-64.webp` instead of `.webp` of 64×64; without a logo the same as `iconUrl` */
            logoUrl: string | null;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            /** @description Comma-separated */
            mods: string;
            /** @description Votes in this calendar month (UTC) */
            monthlyVotes: number;
            /** @description The game server’s message of the day, without its formatting; empty if it has none */
            motd: string;
            /** @description `motd` with Minecraft’s formatting codes, such as `§a`, and `§#ff8800` for other colours */
            motdFormatted: string;
            name: string;
            /** @description When the server wipes next, as its owner says; null if that is not known */
            nextWipeAt: string | null;
            /** @description Round trip of the last answered poll in milliseconds, as the worker measured it; null if it was not measured */
            queryMs: number | null;
            queryPort: number;
            /** @description Rank by votes among all servers; 1 has the most */
            rank: number;
            /**
             * @description Comma-separated `name:number` pairs
             * @example xp:5,taming:10,harvest:3
             */
            rates: string;
            /** @description As the owner gave it, else the country’s continent; empty if unknown */
            region: string;
            /** @description By which the site sorts: votes and players, which fade with time, times uptime, as in `GET /servers/{id}/rank` */
            score: number;
            /** @description Fields that the game server reports itself, because the owner left them empty */
            selfReported: ("description" | "website" | "bannerUrl" | "gameMode" | "mods")[];
            /**
             * @description The source that found the server; `owner` for others that an account owns, `import` for others without an owner
             * @example owner
             * @example luanti
             */
            source: string;
            /** @description Comma-separated */
            tags: string;
            totalVotes: number;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            updatedAt: string;
            /** @description Mean of each hour’s share of answered polls; null if unknown */
            uptime: {
                day: number | null;
                month: number | null;
                week: number | null;
            };
            /** @description Version that the game server reports */
            version: string;
            website: string;
        };
        RankedServerItem: {
            /** @description The banner’s address, as the owner gave it; empty if there is none */
            bannerUrl: string;
            /**
             * @description What players type: without a port where the game’s client needs none
             * @example play.example.org
             * @example 203.0.113.5:27015
             * @example [2001:db8::1]:27015
             */
            connectAddress: string;
            /** @description Country of the address (ISO 3166-1 alpha-2); empty if unknown */
            country: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            currentBots: number;
            /** @description People; bots are not counted */
            currentPlayers: number;
            description: string;
            /** @description gamedig type id */
            game: string;
            /** @enum {string} */
            gameMode: "PvP" | "PvE" | "PvPvE" | "";
            gameName: string;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** @description Whether players need a password; null if the game server does not report it */
            hasPassword: boolean | null;
            /** @description The game server’s icon: a PNG image of at most 64×64 pixels, which never changes */
            iconUrl: string | null;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            /** @description Whether an account owns the server */
            isClaimed: boolean;
            isFeatured: boolean;
            isOnline: boolean;
            /** @description Whether the region is the country’s continent */
            isRegionDerived: boolean;
            /** @description Whether the server was never polled, or its next poll is overdue by two poll intervals (of 60 seconds, unless the operator set another). Servers that do not answer are polled less often, up to every 15 minutes */
            isStale: boolean;
            isVerified: boolean;
            /**
             * @description Opens the game and joins the server; null for games without such a link
             * @example steam://connect/203.0.113.5:27015
             */
            joinUrl: string | null;
            lastPolledAt: string | null;
            lastWipeAt: string | null;
            /** @description A picture that stands for the server, which never changes: its logo, WebP of 128×128 pixels, or with `-64.webp` instead of `.webp` of 64×64; without a logo the same as `iconUrl` */
            logoUrl: string | null;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            /** @description Votes in this calendar month (UTC) */
            monthlyVotes: number;
            /** @description The game server’s message of the day, without its formatting; empty if it has none */
            motd: string;
            name: string;
            /** @description When the server wipes next, as its owner says; null if that is not known */
            nextWipeAt: string | null;
            /** @description Average players in each of the last 24 whole hours, oldest first; null where no poll was answered or the hour is not added up yet; a server that was hidden may lack the hours before it is shown again. Only if `fields` selects it */
            playersByHour?: (number | null)[];
            /** @description Round trip of the last answered poll in milliseconds, as the worker measured it; null if it was not measured */
            queryMs: number | null;
            /** @description Rank by votes among all servers; 1 has the most */
            rank: number;
            /**
             * @description Comma-separated `name:number` pairs
             * @example xp:5,taming:10,harvest:3
             */
            rates: string;
            /** @description As the owner gave it, else the country’s continent; empty if unknown */
            region: string;
            /** @description By which the site sorts: votes and players, which fade with time, times uptime, as in `GET /servers/{id}/rank` */
            score: number;
            /**
             * @description The source that found the server; `owner` for others that an account owns, `import` for others without an owner
             * @example owner
             * @example luanti
             */
            source: string;
            /** @description Its place by `monthlyVotes` among all servers or, if `game` names one game, among those of that game. Only if `fields` selects it */
            standing?: components["schemas"]["MonthStanding"];
            /** @description Comma-separated */
            tags: string;
            totalVotes: number;
        };
        RankedServerItemPage: {
            /** @description Words of `q` that were not searched, because the query has too many or too common ones: the servers have all its other words. Mostly empty */
            ignoredWords: string[];
            /** @description The next page; null after the last */
            nextCursor: string | null;
            pagination: components["schemas"]["CursorPagination"];
            servers: components["schemas"]["RankedServerItem"][];
        };
        Rcon: {
            isConfigured: boolean;
            port: number | null;
            updatedAt: string | null;
        };
        /** @description Whether the process can do its work, and which parts can’t. An API process without `billing` is ready, and so is one without `database` and `queue` until `directory` is too old */
        Readiness: {
            checks: {
                name: string;
                ready: boolean;
                /** @description Why it is not ready; empty if it is */
                reason: string;
            }[];
            ready: boolean;
        };
        ReceivedInvitation: {
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            /** @description The name of the server’s owner */
            invitedBy: string;
            mayUseRcon: boolean;
            /**
             * @description `owner`: a hand-over
             * @enum {string}
             */
            role: "owner" | "manager" | "viewer";
            /** Format: uuid */
            serverId: string;
            serverName: string;
        };
        RecoveryCodes: {
            /** @description Returned once; earlier ones no longer work */
            recoveryCodes: string[];
        };
        RefusedRow: {
            /** @description As `line 12` */
            place: string;
            reason: string;
        };
        Report: {
            /** Format: date-time */
            createdAt: string;
            details: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            reason: "offline" | "spam" | "abuse" | "misleading" | "other";
            /** Format: uuid */
            serverId: string;
            /** @enum {string} */
            status: "open" | "resolved" | "dismissed";
        };
        RotatedEndpoint: {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** Format: uuid */
            id: string;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @constant */
            kind: "standard";
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /**
             * @description Signs deliveries; returned in this reply only
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Complete for the server’s owner, up to the host for others; empty if it can’t be decrypted and must be set again */
            url: string;
        };
        RotatedWebhook: {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /**
             * @description Signs deliveries; returned in this reply only
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Complete for the server’s owner, up to the host for others; empty if it can’t be decrypted and must be set again */
            url: string;
        };
        RunningVoteReminder: {
            /**
             * @description Where the visitor is reminded
             * @enum {string}
             */
            channel: "push" | "email";
            /**
             * Format: uuid
             * @description Ends the reminders; only the visitor knows it
             */
            id: string;
            /**
             * Format: date-time
             * @description When the next reminder is due; none is sent to a visitor who votes before
             */
            remindAt: string;
        };
        ScopedApiKey: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            isActive: boolean;
            /**
             * @description The public half of the credential
             * @example sd_4fKq0Zt7mVbX2sR9cLwYpE3d
             */
            key: string;
            /** @description Accurate to a minute; null if it was never used */
            lastUsedAt: string | null;
            name: string;
            /** @description Requests per minute that the tier allows, for all keys of the account together */
            rateLimit: number;
            /** @description What the key may be used for */
            scopes: ("read" | "votes" | "servers:write" | "endpoints" | "rcon")[];
            /**
             * @description The owner’s subscription tier
             * @enum {string}
             */
            tier: "free" | "standard" | "premium" | "enterprise";
        };
        SecondFactor: {
            /** @description Until when this session may do what can’t be undone; 10 minutes after the second factor was confirmed */
            confirmedUntil: string | null;
            /** @description Whether one-time codes are set up */
            hasCodes: boolean;
            /** @description Whether logging in needs it */
            isOn: boolean;
            /** @description Whether the account’s rights need one, or will once its address is confirmed */
            isRequired: boolean;
            passkeys: components["schemas"]["Passkey"][];
            recoveryCodesLeft: number;
        };
        SecondFactorNeeded: {
            /** @description RFC 9457: the same as `message` */
            detail: string;
            /** @constant */
            error: "second_factor_needed";
            /**
             * Format: date-time
             * @description Until when the login can be completed
             */
            expiresAt: string;
            /** @description RFC 9457: `#` and the `X-Request-Id` of the reply */
            instance: string;
            message: string;
            /** @description What the account accepts: `recoveryCode` while there are unused ones */
            methods: ("passkey" | "code" | "recoveryCode")[];
            /** @description RFC 9457: the status of the reply */
            status: number;
            /** @description RFC 9457: the code in words */
            title: string;
            /** @description RFC 9457: `urn:problem-type:server-directory:` and the code */
            type: string;
        };
        SecondStep: {
            /**
             * Format: date-time
             * @description Until when the login can be completed
             */
            expiresAt: string;
            /** @description What the account accepts: `recoveryCode` while there are unused ones */
            methods: ("passkey" | "code" | "recoveryCode")[];
        };
        /** @description A server with the fields that `fields` selects, and no others */
        SelectedServerItem: {
            /** @description The banner’s address, as the owner gave it; empty if there is none */
            bannerUrl?: string;
            /**
             * @description What players type: without a port where the game’s client needs none
             * @example play.example.org
             * @example 203.0.113.5:27015
             * @example [2001:db8::1]:27015
             */
            connectAddress?: string;
            /** @description Country of the address (ISO 3166-1 alpha-2); empty if unknown */
            country?: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt?: string;
            currentBots?: number;
            /** @description People; bots are not counted */
            currentPlayers?: number;
            description?: string;
            /** @description gamedig type id */
            game?: string;
            /** @enum {string} */
            gameMode?: "PvP" | "PvE" | "PvPvE" | "";
            gameName?: string;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort?: number;
            /** @description Whether players need a password; null if the game server does not report it */
            hasPassword?: boolean | null;
            /** @description The game server’s icon: a PNG image of at most 64×64 pixels, which never changes */
            iconUrl?: string | null;
            /** Format: uuid */
            id?: string;
            ipAddress?: string;
            /** @description Whether an account owns the server */
            isClaimed?: boolean;
            isFeatured?: boolean;
            isOnline?: boolean;
            /** @description Whether the region is the country’s continent */
            isRegionDerived?: boolean;
            /** @description Whether the server was never polled, or its next poll is overdue by two poll intervals (of 60 seconds, unless the operator set another). Servers that do not answer are polled less often, up to every 15 minutes */
            isStale?: boolean;
            isVerified?: boolean;
            /**
             * @description Opens the game and joins the server; null for games without such a link
             * @example steam://connect/203.0.113.5:27015
             */
            joinUrl?: string | null;
            lastPolledAt?: string | null;
            lastWipeAt?: string | null;
            /** @description A picture that stands for the server, which never changes: its logo, WebP of 128×128 pixels, or with `-64.webp` instead of `.webp` of 64×64; without a logo the same as `iconUrl` */
            logoUrl?: string | null;
            /** @description Map name; empty if unknown */
            map?: string;
            maxPlayers?: number;
            /** @description Votes in this calendar month (UTC) */
            monthlyVotes?: number;
            /** @description The game server’s message of the day, without its formatting; empty if it has none */
            motd?: string;
            name?: string;
            /** @description When the server wipes next, as its owner says; null if that is not known */
            nextWipeAt?: string | null;
            /** @description Average players in each of the last 24 whole hours, oldest first; null where no poll was answered or the hour is not added up yet; a server that was hidden may lack the hours before it is shown again. Only if `fields` selects it */
            playersByHour?: (number | null)[];
            /** @description Round trip of the last answered poll in milliseconds, as the worker measured it; null if it was not measured */
            queryMs?: number | null;
            /** @description Rank by votes among all servers; 1 has the most */
            rank?: number;
            /**
             * @description Comma-separated `name:number` pairs
             * @example xp:5,taming:10,harvest:3
             */
            rates?: string;
            /** @description As the owner gave it, else the country’s continent; empty if unknown */
            region?: string;
            /** @description By which the site sorts: votes and players, which fade with time, times uptime, as in `GET /servers/{id}/rank` */
            score?: number;
            /**
             * @description The source that found the server; `owner` for others that an account owns, `import` for others without an owner
             * @example owner
             * @example luanti
             */
            source?: string;
            /** @description Its place by `monthlyVotes` among all servers or, if `game` names one game, among those of that game. Only if `fields` selects it */
            standing?: components["schemas"]["MonthStanding"];
            /** @description Comma-separated */
            tags?: string;
            totalVotes?: number;
        };
        SelectedServerItemPage: {
            /** @description Words of `q` that were not searched, because the query has too many or too common ones: the servers have all its other words. Mostly empty */
            ignoredWords: string[];
            /** @description The next page; null after the last */
            nextCursor: string | null;
            pagination: components["schemas"]["CursorPagination"];
            servers: components["schemas"]["SelectedServerItem"][];
        };
        SentInvitation: {
            /** Format: date-time */
            createdAt: string;
            email: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            mayUseRcon: boolean;
            /**
             * @description `owner`: a hand-over
             * @enum {string}
             */
            role: "owner" | "manager" | "viewer";
            /** @description Of the account that was invited; null for one by e-mail address */
            username: string | null;
        };
        ServerAccess: {
            /** @description Whether the caller administers the directory */
            isAdmin: boolean;
            isFavorite: boolean;
            /** @description Granted by an administrator; administrators may do all that moderators may */
            isModerator: boolean;
            /** @description Rights of the caller’s role */
            rights: ("read" | "edit" | "rcon" | "own")[];
            /** @description The caller’s role on this server; null: none */
            role: ("owner" | "manager" | "viewer" | "admin") | null;
            /** @description Username of the caller */
            username: string;
        };
        ServerActivity: {
            /** @description The oldest first; the last day has not ended */
            days: {
                /** @description Of its address */
                copies: number;
                crawlerViews: number;
                /**
                 * Format: date
                 * @description In UTC
                 */
                day: string;
                /** @description Accounts that made it a favorite on that day and still have it */
                favorites: number;
                /** @description Clicks on the link that starts the game */
                joins: number;
                /** @description Of the server’s page on the site, without crawlers */
                views: number;
                votes: number;
            }[];
            /** @description The last 20 placements of the server that have begun, the last first */
            placements: {
                currency: string;
                /** @description Days that it has run, begun ones included */
                days: number;
                /** Format: date-time */
                endsAt: string;
                location: string;
                /** Format: uuid */
                placementId: string;
                priceCents: number;
                /** Format: date-time */
                startsAt: string;
                /** @description Of these days */
                views: number;
                /** @description Of as many days before */
                viewsBefore: number;
            }[];
        };
        ServerAlerts: {
            /**
             * @description When the server is back after an outage of ten minutes or more
             * @default false
             */
            backOnline: boolean;
            /**
             * @description When at least so many people play; null: no alert
             * @default null
             */
            playersAtLeast: number | null;
            /**
             * @description When at most so many people play; null: no alert
             * @default null
             */
            playersAtMost: number | null;
            /** Format: uuid */
            serverId: string;
            /**
             * @description When its next wipe is less than an hour away
             * @default false
             */
            wipeSoon: boolean;
        };
        ServerAuditEntry: {
            /** @enum {string} */
            action: "server.member.invite" | "server.invitation.withdraw" | "server.invitation.decline" | "server.handover.offer" | "server.member.join" | "server.member.change" | "server.member.remove" | "server.handover" | "server.claim" | "server.claim-stop" | "server.opt-out" | "server.update" | "server.logo.set" | "server.logo.remove" | "server.banner.set" | "server.banner.remove" | "server.wipe" | "server.wipe.remove" | "endpoint.add" | "endpoint.change" | "endpoint.delete" | "endpoint.rotate-secret" | "endpoint.test" | "endpoint.redeliver" | "webhook.set" | "webhook.delete" | "webhook.rotate-secret" | "webhook.test" | "webhook.redeliver" | "vote-key.create" | "vote-key.revoke" | "votes.claim" | "vote-rewards.set" | "vote-rewards.remove" | "rcon.configure" | "rcon.remove" | "rcon.command";
            /** @description The current name; null for an administrator, for who declined an invitation, and for an account that was deleted */
            actorUsername: string | null;
            /** Format: date-time */
            at: string;
            /** @description The fields of the listing that changed, without their values */
            fields: string[];
            /** Format: uuid */
            id: string;
            /** @description Of the user whose membership it is about, if it is about one */
            memberUsername: string | null;
            /** @description Of an invitation or membership; `owner`: a hand-over */
            role: ("owner" | "manager" | "viewer") | null;
        };
        ServerAuditEntryPage: {
            entries: components["schemas"]["ServerAuditEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        ServerBeforeVoiding: {
            /** @description The latest first */
            months: components["schemas"]["MonthBeforeVoiding"][];
            /** Format: uuid */
            serverId: string;
            serverName: string;
            totalAfter: number;
            /** @description Votes of all time */
            totalBefore: number;
            votes: number;
        };
        ServerDetail: {
            /** @description The banner, uploaded or downloaded from `bannerUrl`: WebP of 960×240 pixels, which never changes */
            bannerImageUrl: string | null;
            /** @description The banner’s address, as the owner gave it; empty if there is none */
            bannerUrl: string;
            chatUrl: string;
            /**
             * @description What players type: without a port where the game’s client needs none
             * @example play.example.org
             * @example 203.0.113.5:27015
             * @example [2001:db8::1]:27015
             */
            connectAddress: string;
            /** @description Consecutive polls without an answer */
            consecutiveFailures: number;
            /** @description Country of the address (ISO 3166-1 alpha-2); empty if unknown */
            country: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            currentBots: number;
            /** @description People; bots are not counted */
            currentPlayers: number;
            description: string;
            /** @description Of a Minecraft server for players of both editions: whether each answered the last poll. `currentPlayers` is that of Java, or of Bedrock if only that one answered. Null for all other servers */
            editions: {
                bedrock: components["schemas"]["ServerEdition"];
                java: components["schemas"]["ServerEdition"];
            } | null;
            /** @description gamedig type id */
            game: string;
            /** @enum {string} */
            gameMode: "PvP" | "PvE" | "PvPvE" | "";
            gameName: string;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** @description Whether players need a password; null if the game server does not report it */
            hasPassword: boolean | null;
            /** @description The game server’s icon: a PNG image of at most 64×64 pixels, which never changes */
            iconUrl: string | null;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            /** @description Whether an account owns the server */
            isClaimed: boolean;
            isFeatured: boolean;
            isOnline: boolean;
            /** @description Whether the region is the country’s continent */
            isRegionDerived: boolean;
            /** @description Whether the server was never polled, or its next poll is overdue by two poll intervals (of 60 seconds, unless the operator set another). Servers that do not answer are polled less often, up to every 15 minutes */
            isStale: boolean;
            isVerified: boolean;
            /**
             * @description Opens the game and joins the server; null for games without such a link
             * @example steam://connect/203.0.113.5:27015
             */
            joinUrl: string | null;
            lastPolledAt: string | null;
            lastWipeAt: string | null;
            /** @description A picture that stands for the server, which never changes: its logo, WebP of 128×128 pixels, or with `-64.webp` instead of `.webp` of 64×64; without a logo the same as `iconUrl` */
            logoUrl: string | null;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            /** @description Comma-separated */
            mods: string;
            /** @description Votes in this calendar month (UTC) */
            monthlyVotes: number;
            /** @description The game server’s message of the day, without its formatting; empty if it has none */
            motd: string;
            /** @description `motd` with Minecraft’s formatting codes, such as `§a`, and `§#ff8800` for other colours */
            motdFormatted: string;
            name: string;
            /** @description When the server wipes next, as its owner says; null if that is not known */
            nextWipeAt: string | null;
            /** @description Round trip of the last answered poll in milliseconds, as the worker measured it; null if it was not measured */
            queryMs: number | null;
            queryPort: number;
            /**
             * @description Comma-separated `name:number` pairs
             * @example xp:5,taming:10,harvest:3
             */
            rates: string;
            /** @description As the owner gave it, else the country’s continent; empty if unknown */
            region: string;
            /** @description Fields that the game server reports itself, because the owner left them empty */
            selfReported: ("description" | "website" | "bannerUrl" | "gameMode" | "mods")[];
            /**
             * @description The source that found the server; `owner` for others that an account owns, `import` for others without an owner
             * @example owner
             * @example luanti
             */
            source: string;
            /** @description Comma-separated */
            tags: string;
            totalVotes: number;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            updatedAt: string;
            /** @description Mean of each hour’s share of answered polls; null if unknown */
            uptime: {
                day: number | null;
                month: number | null;
                week: number | null;
            };
            /** @description Version that the game server reports */
            version: string;
            website: string;
        };
        ServerEdition: {
            connectAddress: string;
            isOnline: boolean;
        };
        ServerEvent: {
            data: components["schemas"]["ServerItem"];
            /** @constant */
            event: "server";
            /** @description A cursor: send it as `Last-Event-ID` to continue after this event */
            id: string;
        };
        ServerFace: {
            /** @description Whether a moderator or an administrator has removed the picture, so that no other can be given */
            isLocked: boolean;
            /** @description Why the picture was refused, or the face is locked */
            reason: string | null;
            /** @description `url`: downloaded from `bannerUrl` */
            source: ("upload" | "url") | null;
            /**
             * @description Of the picture that was given last. `pending`: a worker will encode it within seconds. `refused`: see `reason`; the one before is still shown
             * @enum {string}
             */
            state: "none" | "pending" | "ready" | "refused";
            updatedAt: string | null;
            /** @description The picture that is shown */
            url: string | null;
        };
        ServerFaces: {
            banner: components["schemas"]["ServerFace"];
            /** @description What the game server reports, and stands in for a logo; it can’t be uploaded */
            icon: components["schemas"]["ServerIcon"];
            logo: components["schemas"]["ServerFace"];
        };
        ServerIcon: {
            /** @description Whether a moderator or an administrator has removed the picture, so that no other can be given */
            isLocked: boolean;
            /** @description Why the picture was refused, or the face is locked */
            reason: string | null;
            /** @description The picture that is shown */
            url: string | null;
        };
        ServerItem: {
            /** @description The banner’s address, as the owner gave it; empty if there is none */
            bannerUrl: string;
            /**
             * @description What players type: without a port where the game’s client needs none
             * @example play.example.org
             * @example 203.0.113.5:27015
             * @example [2001:db8::1]:27015
             */
            connectAddress: string;
            /** @description Country of the address (ISO 3166-1 alpha-2); empty if unknown */
            country: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            currentBots: number;
            /** @description People; bots are not counted */
            currentPlayers: number;
            description: string;
            /** @description gamedig type id */
            game: string;
            /** @enum {string} */
            gameMode: "PvP" | "PvE" | "PvPvE" | "";
            gameName: string;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** @description Whether players need a password; null if the game server does not report it */
            hasPassword: boolean | null;
            /** @description The game server’s icon: a PNG image of at most 64×64 pixels, which never changes */
            iconUrl: string | null;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            /** @description Whether an account owns the server */
            isClaimed: boolean;
            isFeatured: boolean;
            isOnline: boolean;
            /** @description Whether the region is the country’s continent */
            isRegionDerived: boolean;
            /** @description Whether the server was never polled, or its next poll is overdue by two poll intervals (of 60 seconds, unless the operator set another). Servers that do not answer are polled less often, up to every 15 minutes */
            isStale: boolean;
            isVerified: boolean;
            /**
             * @description Opens the game and joins the server; null for games without such a link
             * @example steam://connect/203.0.113.5:27015
             */
            joinUrl: string | null;
            lastPolledAt: string | null;
            lastWipeAt: string | null;
            /** @description A picture that stands for the server, which never changes: its logo, WebP of 128×128 pixels, or with `-64.webp` instead of `.webp` of 64×64; without a logo the same as `iconUrl` */
            logoUrl: string | null;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            /** @description Votes in this calendar month (UTC) */
            monthlyVotes: number;
            /** @description The game server’s message of the day, without its formatting; empty if it has none */
            motd: string;
            name: string;
            /** @description When the server wipes next, as its owner says; null if that is not known */
            nextWipeAt: string | null;
            /** @description Round trip of the last answered poll in milliseconds, as the worker measured it; null if it was not measured */
            queryMs: number | null;
            /**
             * @description Comma-separated `name:number` pairs
             * @example xp:5,taming:10,harvest:3
             */
            rates: string;
            /** @description As the owner gave it, else the country’s continent; empty if unknown */
            region: string;
            /**
             * @description The source that found the server; `owner` for others that an account owns, `import` for others without an owner
             * @example owner
             * @example luanti
             */
            source: string;
            /** @description Comma-separated */
            tags: string;
            totalVotes: number;
        };
        ServerListing: {
            /** @description The banner, uploaded or downloaded from `bannerUrl`: WebP of 960×240 pixels, which never changes */
            bannerImageUrl: string | null;
            /** @description The banner’s address, as the owner gave it; empty if there is none */
            bannerUrl: string;
            /** @description Empty: none */
            bedrockAddress: string;
            bedrockPort: number | null;
            chatUrl: string;
            /**
             * @description What players type: without a port where the game’s client needs none
             * @example play.example.org
             * @example 203.0.113.5:27015
             * @example [2001:db8::1]:27015
             */
            connectAddress: string;
            /** @description Consecutive polls without an answer */
            consecutiveFailures: number;
            /** @description Country of the address (ISO 3166-1 alpha-2); empty if unknown */
            country: string;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            currentBots: number;
            /** @description People; bots are not counted */
            currentPlayers: number;
            description: string;
            /** @description Of a Minecraft server for players of both editions: whether each answered the last poll. `currentPlayers` is that of Java, or of Bedrock if only that one answered. Null for all other servers */
            editions: {
                bedrock: components["schemas"]["ServerEdition"];
                java: components["schemas"]["ServerEdition"];
            } | null;
            /** @description gamedig type id */
            game: string;
            /** @enum {string} */
            gameMode: "PvP" | "PvE" | "PvPvE" | "";
            gameName: string;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** @description False: players connect without a port; `gamePort` is the one that was found */
            gamePortGiven: boolean;
            /** @description Whether players need a password; null if the game server does not report it */
            hasPassword: boolean | null;
            /** @description The game server’s icon: a PNG image of at most 64×64 pixels, which never changes */
            iconUrl: string | null;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            /** @description Whether an account owns the server */
            isClaimed: boolean;
            isFeatured: boolean;
            isOnline: boolean;
            /** @description Whether the region is the country’s continent */
            isRegionDerived: boolean;
            /** @description Whether the server was never polled, or its next poll is overdue by two poll intervals (of 60 seconds, unless the operator set another). Servers that do not answer are polled less often, up to every 15 minutes */
            isStale: boolean;
            isVerified: boolean;
            /**
             * @description Opens the game and joins the server; null for games without such a link
             * @example steam://connect/203.0.113.5:27015
             */
            joinUrl: string | null;
            lastPolledAt: string | null;
            lastWipeAt: string | null;
            /** @description A picture that stands for the server, which never changes: its logo, WebP of 128×128 pixels, or with `-64.webp` instead of `.webp` of 64×64; without a logo the same as `iconUrl` */
            logoUrl: string | null;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            /** @description Comma-separated */
            mods: string;
            /** @description Votes in this calendar month (UTC) */
            monthlyVotes: number;
            /** @description The game server’s message of the day, without its formatting; empty if it has none */
            motd: string;
            /** @description `motd` with Minecraft’s formatting codes, such as `§a`, and `§#ff8800` for other colours */
            motdFormatted: string;
            name: string;
            nameFromServer: boolean;
            /** @description When the server wipes next, as its owner says; null if that is not known */
            nextWipeAt: string | null;
            /** @description Round trip of the last answered poll in milliseconds, as the worker measured it; null if it was not measured */
            queryMs: number | null;
            queryPort: number;
            /**
             * @description Comma-separated `name:number` pairs
             * @example xp:5,taming:10,harvest:3
             */
            rates: string;
            /** @description As the owner gave it, else the country’s continent; empty if unknown */
            region: string;
            /** @description Rights of the caller’s role */
            rights: ("read" | "edit" | "rcon" | "own")[];
            /**
             * @description The caller’s role on this server
             * @enum {string}
             */
            role: "owner" | "manager" | "viewer" | "admin";
            /** @description Fields that the game server reports itself, because the owner left them empty */
            selfReported: ("description" | "website" | "bannerUrl" | "gameMode" | "mods")[];
            /**
             * @description The source that found the server; `owner` for others that an account owns, `import` for others without an owner
             * @example owner
             * @example luanti
             */
            source: string;
            /** @description Comma-separated */
            tags: string;
            totalVotes: number;
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            updatedAt: string;
            /** @description Mean of each hour’s share of answered polls; null if unknown */
            uptime: {
                day: number | null;
                month: number | null;
                week: number | null;
            };
            /** @description Version that the game server reports */
            version: string;
            /**
             * @description Whether the directory lists the server. `unverified`: not before its owner has verified it, which the operator can require; `hidden`: not while an administrator hides it
             * @enum {string}
             */
            visibility: "listed" | "unverified" | "hidden";
            website: string;
            wipeSchedule: ({
                time: string;
                /**
                 * @description IANA time zone, of which summer time counts
                 * @default UTC
                 */
                timeZone: string;
                /** @enum {string} */
                weekday: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            } | {
                /** Format: date-time */
                at: string;
            }) | null;
        };
        ServerMember: {
            /** @description Null for the owner */
            joinedAt: string | null;
            mayUseRcon: boolean;
            /** @enum {string} */
            role: "owner" | "manager" | "viewer";
            /** Format: uuid */
            userId: string;
            username: string;
        };
        ServerProbe: {
            ipAddress: string;
            /** @description The server that is listed with this address and query port, to claim it; null for none and for hidden ones */
            listedId: string | null;
            /** @description The one that was queried */
            queryPort: number;
            result: {
                map: string;
                maxPlayers: number;
                name: string;
                /** @constant */
                outcome: "answered";
                players: number;
                queryMs: number | null;
                version: string;
            } | {
                /** @enum {string} */
                outcome: "silent" | "unreadable" | "unresolved" | "unavailable";
            };
        };
        ServerRank: {
            /** @description Uptime of the last day times that of the last week, at least 0.01; 1 if it is unknown */
            availability: number;
            /** @description What these votes count now: a vote counts 1, and half of it after 10 days */
            countedVotes: number;
            /** @description In the order of `sortBy=score` among all servers */
            place: number;
            /** @description The same among the servers of its game */
            placeInGame: number;
            /** @description What playing counts, in votes: each hour log2(1 + players) / 48, with its average players, at most 255; it fades like votes */
            playing: number;
            /** @description (`countedVotes` + `playing`) × `availability` */
            score: number;
            /** @description All servers */
            servers: number;
            serversOfGame: number;
            totalVotes: number;
        };
        ServerRecognition: {
            /** @description What players type */
            connectAddress: string;
            /** @description The one that answered, or that was given; null if nothing is known */
            game: string | null;
            gameName: string | null;
            /** @description Null: players connect without a port */
            gamePort: number | null;
            /** @description Null: not known */
            hasPassword: boolean | null;
            /** @description IPv4 address, IPv6 address or DNS name */
            ipAddress: string;
            /** @description The server that is listed with this address and query port, to claim it; null for none and for hidden ones */
            listedId: string | null;
            /** @description Where it answered, or where the given game was asked; null if nothing is known */
            queryPort: number | null;
            result: {
                map: string;
                maxPlayers: number;
                name: string;
                /** @constant */
                outcome: "answered";
                players: number;
                queryMs: number | null;
                version: string;
            } | {
                /** @enum {string} */
                outcome: "silent" | "unreadable" | "unresolved" | "unavailable";
            };
        };
        ServerRemovedEvent: {
            data: {
                /** Format: uuid */
                id: string;
            };
            /** @constant */
            event: "removed";
            /** @description A cursor: send it as `Last-Event-ID` to continue after this event */
            id: string;
        };
        ServerStanding: {
            /** @example 2026-10 */
            month: string;
            place: number;
            /** @description Among the servers of the game that it had then */
            placeInGame: number;
            votes: number;
        };
        ServerSubscription: {
            /** @description Empty: not subscribed */
            events: ("serverOffline" | "serverOnline" | "serverWiped" | "voteMilestone")[];
        };
        ServerSummary: {
            /**
             * Format: date-time
             * @example 2026-11-20T12:00:00.000Z
             */
            createdAt: string;
            /** @description People; bots are not counted */
            currentPlayers: number;
            description: string;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            isOnline: boolean;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            name: string;
            totalVotes: number;
        };
        ServerSummaryPage: {
            pagination: components["schemas"]["Pagination"];
            servers: components["schemas"]["ServerSummary"][];
        };
        ServerVoteNetworks: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description Networks they came from: IPv4 /24 and IPv6 /48 */
            networks: number;
            /** @description Votes that the owner sent with an API key, counted apart */
            ownerVotes: number;
            /** @description The network that sent most, as `networks` of `previewVoteVoiding`; null without visitors’ votes */
            topNetwork: string | null;
            /** @description Its share of the visitors’ votes */
            topNetworkShare: number;
            /** @description Votes from it */
            topNetworkVotes: number;
            /** @description Visitors’ votes in the last 7 days, except those of releases that stored no network */
            votes: number;
        };
        ServerVoteNetworksPage: {
            pagination: components["schemas"]["Pagination"];
            servers: components["schemas"]["ServerVoteNetworks"][];
        };
        Session: {
            /**
             * @description Name of the browser that opened it; empty: unknown, such as a program
             * @example Firefox
             */
            browser: string;
            /** @description Of its address, ISO 3166-1 alpha-2; empty: unknown */
            country: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            /** @description Whether it is the session of this request */
            isCurrent: boolean;
            /** @description Null: not used so far */
            lastUsedAt: string | null;
            /** @description How the user logged in; null: unknown */
            openedBy: ("password" | "chat" | "gameplatform") | null;
            /**
             * @description Name of its operating system; empty: unknown
             * @example Windows
             */
            system: string;
        };
        SessionPage: {
            pagination: components["schemas"]["Pagination"];
            sessions: components["schemas"]["Session"][];
        };
        SessionReply: {
            /** @description Granted by an administrator; administrators may do all that moderators may */
            isModerator: boolean;
            /** @description Whether the rights of the account as staff do not count, because they need a second factor that it does not have */
            lacksSecondFactor: boolean;
            user: components["schemas"]["UserProfile"];
        };
        SetWebhookResult: {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /**
             * @description Signs deliveries; returned in this reply only
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Complete for the server’s owner, up to the host for others; empty if it can’t be decrypted and must be set again */
            url: string;
        };
        SiteLogo: {
            /** @description Why the picture was refused */
            reason: string | null;
            /**
             * @description `pending`: a worker will encode the picture within seconds. `refused`: the one before is still shown
             * @enum {string}
             */
            state: "none" | "pending" | "ready" | "refused";
            /** @description The picture that is shown */
            url: string | null;
        };
        Standing: {
            /** @description Servers with equal votes share a place */
            place: number;
            /** @description In the month before; null if it had no votes then */
            previousPlace: number | null;
            /** @description Null if it is no longer listed */
            server: components["schemas"]["StandingServer"] | null;
            /** @description In the month */
            votes: number;
        };
        Standings: {
            /** @description When votes of the month were last voided or restored after its end, which changed its places; null: never */
            correctedAt: string | null;
            /** @description Whether the month still runs, so that places change with each vote */
            isRunning: boolean;
            /** @example 2026-10 */
            month: string;
            pagination: components["schemas"]["Pagination"];
            /** @description Most votes first */
            standings: components["schemas"]["Standing"][];
        };
        StandingServer: {
            /** @description People; bots are not counted */
            currentPlayers: number;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            isOnline: boolean;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            name: string;
        };
        Statistics: {
            /** @description Countries with listed servers, most players first; servers whose country is unknown are in none */
            countries: components["schemas"]["CountryStatistics"][];
            /** @description Games with listed servers, most players first; a Minecraft server of both editions counts in both, but in `playersByHour` only in its own */
            games: components["schemas"]["GameStatistics"][];
            /** @description Starts of 24 hours, oldest first; the last ended at least 15 minutes ago */
            hours: string[];
            onlineServers: number;
            /** @description Players on them now */
            players: number;
            /** @description Mean number of players in each of `hours`; null where no server was polled, as after an outage */
            playersByHour: (number | null)[];
            /** @description Listed servers */
            servers: number;
        };
        /** @description One Server-Sent Event; `data` is JSON. `server`: new or changed. `removed`: delete it. */
        StreamEvent: components["schemas"]["ServerEvent"] | components["schemas"]["ServerRemovedEvent"];
        Subscription: {
            /** @description Whether it ends then instead of being renewed */
            cancelAtPeriodEnd: boolean;
            /** @description Whether subscriptions can be ordered here (`startCheckout`) */
            canSubscribe: boolean;
            /** @description End of the current period; for `past_due`, of the period whose payment is being retried */
            currentPeriodEnd: string | null;
            /**
             * @description Status at the payment provider; `none` without a subscription
             * @example none
             * @example active
             * @example trialing
             * @example past_due
             * @example unpaid
             * @example incomplete
             * @example paused
             */
            status: string;
            /**
             * @description Tier of your API keys’ limits
             * @enum {string}
             */
            tier: "free" | "standard" | "premium" | "enterprise";
            /** @description What each tier allows, least first */
            tiers: {
                /** @enum {string} */
                name: "free" | "standard" | "premium" | "enterprise";
                /** @description Requests per minute, as of API keys */
                rateLimit: number;
            }[];
        };
        Success: {
            success: boolean;
        };
        Suggestion: {
            /** @description People; bots are not counted */
            currentPlayers: number;
            /** @description As the owner gave it, else as found by an SRV record, else the game’s usual one */
            gamePort: number;
            /** Format: uuid */
            id: string;
            ipAddress: string;
            isOnline: boolean;
            /** @description Map name; empty if unknown */
            map: string;
            maxPlayers: number;
            name: string;
        };
        UserProfile: {
            _count: {
                /** @description Listed servers the user owns */
                ownedServers: number;
                /** @description Votes these servers have received */
                votes: number;
            };
            /** @description Empty if there is none */
            avatarUrl: string;
            /** @description Identity on the chat platform; empty if none is linked */
            chatId: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Empty if the account was created through a platform that gave no verified address */
            email: string;
            /** @description Identity on the game platform; empty if none is linked */
            gamePlatformId: string;
            id: string;
            isAdmin: boolean;
            username: string;
        };
        UserReply: {
            user: components["schemas"]["UserProfile"];
        };
        Vote: {
            claimedAt: string | null;
            /** @description As the voter gave it; empty if they gave none */
            gamePlatformId: string;
            /** Format: uuid */
            id: string;
            /**
             * @description `owner`: sent with an API key of the server’s owner, and so not subject to the limit of votes per client address
             * @enum {string}
             */
            source: "visitor" | "owner";
            /** @description As the voter gave it; empty if they gave none */
            username: string;
            /** @description When an administrator or moderator voided it: it no longer counts. Null: it counts */
            voidedAt: string | null;
            /** @description Why it was voided; empty: it counts */
            voidReason: string;
            /** Format: date-time */
            votedAt: string;
        };
        VoteChallenge: {
            parameters?: {
                /** @constant */
                algorithm: "PBKDF2/SHA-256";
                /** @description Iterations of PBKDF2 */
                cost: number;
                /** @description The server that the solution is valid for */
                data: {
                    serverId: string;
                };
                /** @description Epoch seconds */
                expiresAt: number;
                /** @description Bytes of the derived key */
                keyLength: number;
                /** @description In hexadecimal; the key derived from the solution begins with it */
                keyPrefix: string;
                /** @description In hexadecimal; the password is the nonce, followed by a counter of 32 bits */
                nonce: string;
                /** @description In hexadecimal */
                salt: string;
            };
            /** @description Whether a vote needs a proof of work; if not, the other fields are missing */
            required: boolean;
            signature?: string;
        };
        VoteCooldown: {
            /** @description Milliseconds */
            cooldownRemaining: number;
            /** @constant */
            error: "vote_cooldown";
            message: string;
            /** Format: date-time */
            nextVoteAt: string;
        };
        VoteFinding: {
            /** @description Of `burst`: votes on the busiest of the 28 days before */
            busiestDay: number | null;
            /** @description Those of them that are suspicious */
            selected: number;
            selection: components["schemas"]["VoteSelection"];
            /** @enum {string} */
            signal: "fewNetworks" | "hosting" | "burst" | "seenOnce" | "withoutPage";
            /** @description Share of such votes elsewhere: among those for other servers, or in the four weeks before for all servers */
            usualShare: number | null;
            /** @description Votes of visitors that were looked at */
            votes: number;
        };
        VoteKey: {
            /** Format: date-time */
            createdAt: string;
            /** @description To the minute; null if it was never used */
            lastUsedAt: string | null;
            /** @description The first characters */
            startsWith: string;
            /** @description Null for the current key */
            validUntil: string | null;
        };
        VoteNetwork: {
            /** @example h3Vd9xQm2LrT7wKc */
            network: string;
            networkOwner: number | null;
            /** @description Name of the hosting provider; empty if it is none that is known */
            provider: string;
            votes: number;
        };
        VotePreview: {
            /** @description Servers with the most selected votes first, at most 50 */
            changes: components["schemas"]["ServerBeforeVoiding"][];
            /** @description Networks with the most selected votes first, at most 20: keyed hashes of an IPv4 /24 or an IPv6 /48 */
            networks: components["schemas"]["VoteNetwork"][];
            /** @description Servers that they are for */
            servers: number;
            /**
             * Format: date-time
             * @description Votes before this time are selected: give it to `voidVotes` to void no later ones
             */
            until: string;
            /** @description Visitors that they are from */
            voters: number;
            /** @description Votes that are selected and count */
            votes: number;
        };
        /** @description One Server-Sent Event; `data` is JSON */
        VoteProgressEvent: {
            data: {
                /** @description Whether the vote has reached the server; null if nothing is sent */
                delivered: boolean | null;
                /** @description Whether the stream ends */
                isOver: boolean;
                /** @description Whether the reward was given; null if there is none */
                rewarded: boolean | null;
            };
            /** @constant */
            event: "progress";
        };
        VoterClaim: {
            gamePlatformId: string;
        } | {
            username: string;
        };
        VoteReminder: {
            /**
             * Format: uuid
             * @description Ends the reminders; only the visitor knows it
             */
            id: string;
            /**
             * Format: date-time
             * @description When the visitor may vote again
             */
            remindAt: string;
        };
        VoteResult: {
            /** @example Thank you for your vote. */
            message: string;
            /**
             * Format: date-time
             * @description When the visitor may vote for this server again
             */
            nextVoteAt: string;
            /** @description Days in a row with a vote of this player for this server, with this vote. A vote within 48 hours of the last continues them. The player is known by `gamePlatformId`, else by `username`, else by `visitorId` */
            streak: number;
            success: boolean;
            /** @description Whether a webhook delivery was queued together with the vote */
            webhookSent: boolean;
        };
        VoteReward: {
            /** @description The first 500 characters that it answered */
            answer: string;
            /** @description As sent, with passwords hidden; empty if none was sent */
            commands: string[];
            /** @description How many of them the game server has answered */
            commandsRun: number;
            /** Format: date-time */
            createdAt: string;
            gamePlatformId: string;
            /** @description The same in a sentence */
            message: string | null;
            /** @description Why it ended so, as a stable code: `answered`, `unrepresentable`, `wrong_password` … */
            reason: string | null;
            /** @description Null while it is waiting or running */
            settledAt: string | null;
            /**
             * @description `may_have_run`: the outcome of a command is unknown. It is not sent again
             * @enum {string}
             */
            status: "waiting" | "running" | "ran" | "ran_partly" | "may_have_run" | "not_run";
            username: string;
            /** Format: uuid */
            voteId: string;
        };
        VoteRewardPage: {
            pagination: components["schemas"]["Pagination"];
            rewards: components["schemas"]["VoteReward"][];
        };
        VoteRewards: {
            commands: string[];
            isEnabled: boolean;
            /** @description Since when no command is sent, because the game server refused the RCON password; set the password or the rewards again */
            stoppedAt: string | null;
            updatedAt: string | null;
            when: ("vote" | "claim") | null;
        };
        VoteSelection: {
            /**
             * Format: date-time
             * @description Only votes at or after this time
             */
            from?: string;
            /** @description Whether a page of the site sent the vote */
            fromPage?: boolean;
            /**
             * @description `true`: only votes from networks of known hosting providers
             * @enum {boolean}
             */
            hosting?: true;
            /** @description Only votes whose visitor had voted for the first time, for any server, at most this many hours before */
            maxVisitorAge?: number;
            /** @description Pattern of the name or the identifier that the voter gave, in any case; `*` stands for any characters */
            name?: string;
            /** @description Number of the autonomous system (AS) that the network belongs to */
            networkOwner?: number;
            /** @description Keys of networks, comma-separated, as in `networks` of `previewVoteVoiding` */
            networks?: string;
            /**
             * @description `true`: only votes whose visitor has voted once only, for any server; new visitors are known within an hour
             * @enum {boolean}
             */
            seenOnce?: true;
            /**
             * Format: uuid
             * @description Only votes for this server; default: for all
             */
            serverId?: string;
            /**
             * Format: date-time
             * @description Only votes before this time; default: now
             */
            until?: string;
        };
        VoteStatus: {
            canVote: boolean;
            /** @description Milliseconds; 0 if voting is allowed */
            cooldownRemaining: number;
            /** @description Days in a row with a vote, as in the result of the last vote; 0 if the next vote starts again */
            streak: number;
        };
        VoteVoiding: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            createdBy: string;
            /** @description Empty if the account was deleted */
            createdByUsername: string;
            /** Format: uuid */
            id: string;
            reason: string;
            /** Format: date-time */
            restorableUntil: string;
            /** @description When an administrator or moderator had them restored */
            restoredAt: string | null;
            /** @description Of them, restored so far */
            restoredVotes: number;
            selection: components["schemas"]["VoteSelection"];
            /** @description Servers that they are for */
            servers: number;
            /**
             * @description `voiding` and `restoring` are in progress
             * @enum {string}
             */
            status: "voiding" | "voided" | "restoring" | "restored";
            /** @description Votes voided so far */
            votes: number;
        };
        VoteVoidingPage: {
            pagination: components["schemas"]["Pagination"];
            voidings: components["schemas"]["VoteVoiding"][];
        };
        WebhookDelivery: {
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: uuid
             * @description Sent as `webhook-id`, the same for every attempt
             */
            id: string;
            /** @description The last attempts, at most 20, oldest first */
            log: {
                /** Format: date-time */
                at: string;
                /** @description Why there was no response */
                error: string | null;
                latencyMs: number;
                number: number;
                /** @description The first kilobyte of the response */
                response: string;
                /** @description HTTP status; null if there was no response */
                status: number | null;
            }[];
            /** @description Null unless the delivery is pending */
            nextAttemptAt: string | null;
            /** @description The posted body: `type`, `timestamp`, `data` */
            payload: {
                [key: string]: unknown;
            };
            /** @description Null while the delivery is pending */
            settledAt: string | null;
            /**
             * @description `dead`: the last attempt failed; `canceled`: the webhook was disabled, deleted or its owner banned before it was delivered
             * @enum {string}
             */
            status: "pending" | "delivered" | "dead" | "canceled";
            type: string;
        };
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        WebhookEndpoint: {
            /** Format: date-time */
            createdAt: string;
            disabledAt: string | null;
            /** @description `gone`: the endpoint answered 410, or Discord no longer knows the webhook; `failing`: every attempt failed for 5 days; `unconfirmed`: it is unknown whether Discord created the status message */
            disabledReason: ("gone" | "failing" | "unconfirmed") | null;
            events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
            /** @description Since when every attempt has failed */
            failingSince: string | null;
            /** @description False if the webhook is disabled, until it is set again, and while the owner is banned */
            isActive: boolean;
            /** @description Until when the previous secret also signs */
            previousSecretUntil: string | null;
            /** Format: date-time */
            updatedAt: string;
            /** @description Complete for the server’s owner, up to the host for others; empty if it can’t be decrypted and must be set again */
            url: string;
        };
        Wipe: {
            /** Format: uuid */
            id: string;
            /**
             * @description `full`: everything; `map`: the world, but players may keep their progress; `partial`: a part of the world
             * @enum {string}
             */
            kind: "full" | "map" | "partial";
            note: string;
            /**
             * @description `owner`: added by the owner; `detected`: found by a poll
             * @enum {string}
             */
            source: "owner" | "detected";
            /** Format: date-time */
            wipedAt: string;
        };
        WipePage: {
            pagination: components["schemas"]["Pagination"];
            wipes: components["schemas"]["Wipe"][];
        };
    };
    responses: {
        /** @description Any other error: see “Errors” for the statuses, and `x-errors` of the operation for its codes */
        Error: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Error"];
            };
        };
        /** @description Any error, as one line of text: its code, a colon and its message; see `x-errors` of the operation */
        ErrorLine: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description There is no such thing */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPlacements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "placements": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "location": "homepage-banner",
                     *           "tier": "standard",
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "title": "Top banner, 23 to 30 November",
                     *           "imageUrl": "https://nordland.example/banner.png",
                     *           "linkUrl": "https://nordland.example",
                     *           "startsAt": "2026-11-20T12:00:00.000Z",
                     *           "endsAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        placements: components["schemas"]["Placement"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listPlacementsOfLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Location of ad slots */
                location: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "placements": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "location": "homepage-banner",
                     *           "tier": "standard",
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "title": "Top banner, 23 to 30 November",
                     *           "imageUrl": "https://nordland.example/banner.png",
                     *           "linkUrl": "https://nordland.example",
                     *           "startsAt": "2026-11-20T12:00:00.000Z",
                     *           "endsAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        placements: components["schemas"]["Placement"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listAdSlots: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "adSlots": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "location": "homepage-banner",
                     *           "tier": "standard",
                     *           "name": "Nordland PvE x5",
                     *           "width": 1,
                     *           "height": 1,
                     *           "isActive": true
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdSlotPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    createAdSlot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "location": "homepage-banner",
                 *       "tier": "standard",
                 *       "name": "Nordland PvE x5",
                 *       "width": 1,
                 *       "height": 1
                 *     }
                 */
                "application/json": {
                    height: number;
                    /** @default true */
                    isActive?: boolean;
                    location: string;
                    name: string;
                    /** @enum {string} */
                    tier: "standard" | "premium" | "enterprise";
                    width: number;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "location": "homepage-banner",
                     *       "tier": "standard",
                     *       "name": "Nordland PvE x5",
                     *       "width": 1,
                     *       "height": 1,
                     *       "isActive": true
                     *     }
                     */
                    "application/json": components["schemas"]["AdSlot"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `slot_exists` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deleteAdSlot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Ad slot id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `slot_in_use` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updateAdSlot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Ad slot id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nordland PvE x5"
                 *     }
                 */
                "application/json": {
                    height?: number;
                    isActive?: boolean;
                    name?: string;
                    width?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "location": "homepage-banner",
                     *       "tier": "standard",
                     *       "name": "Nordland PvE x5",
                     *       "width": 1,
                     *       "height": 1,
                     *       "isActive": true
                     *     }
                     */
                    "application/json": components["schemas"]["AdSlot"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `slot_exists` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getAppearance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Nordland PvE x5",
                     *       "accent": "#0b62d6",
                     *       "colors": {
                     *         "light": {
                     *           "accent": "#0b62d6",
                     *           "soft": "#e6effc",
                     *           "onAccent": "#ffffff"
                     *         },
                     *         "dark": {
                     *           "accent": "#0b62d6",
                     *           "soft": "#e6effc",
                     *           "onAccent": "#ffffff"
                     *         }
                     *       },
                     *       "introduction": "Servers of the **Nordland** community. [Rules](https://example.org/rules)",
                     *       "imprintUrl": "https://example.org/imprint",
                     *       "privacyUrl": "https://example.org/privacy",
                     *       "logo": {
                     *         "state": "none",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook"
                     *       },
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Appearance"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    updateAppearance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nordland PvE x5"
                 *     }
                 */
                "application/json": {
                    /** @description Colour of links and buttons; null: the product’s */
                    accent?: string | null;
                    /** @description Linked at the bottom of each page; empty: no link */
                    imprintUrl?: string;
                    /** @description Markdown, above the list of servers */
                    introduction?: string;
                    /** @description Of the site, on its pages and in its mails; empty: the product’s */
                    name?: string;
                    /** @description The privacy policy, linked at the bottom of each page; empty: no link */
                    privacyUrl?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Nordland PvE x5",
                     *       "accent": "#0b62d6",
                     *       "colors": {
                     *         "light": {
                     *           "accent": "#0b62d6",
                     *           "soft": "#e6effc",
                     *           "onAccent": "#ffffff"
                     *         },
                     *         "dark": {
                     *           "accent": "#0b62d6",
                     *           "soft": "#e6effc",
                     *           "onAccent": "#ffffff"
                     *         }
                     *       },
                     *       "introduction": "Servers of the **Nordland** community. [Rules](https://example.org/rules)",
                     *       "imprintUrl": "https://example.org/imprint",
                     *       "privacyUrl": "https://example.org/privacy",
                     *       "logo": {
                     *         "state": "none",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook"
                     *       },
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Appearance"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    setSiteLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/gif": string;
                "image/jpeg": string;
                "image/png": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Nordland PvE x5",
                     *       "accent": "#0b62d6",
                     *       "colors": {
                     *         "light": {
                     *           "accent": "#0b62d6",
                     *           "soft": "#e6effc",
                     *           "onAccent": "#ffffff"
                     *         },
                     *         "dark": {
                     *           "accent": "#0b62d6",
                     *           "soft": "#e6effc",
                     *           "onAccent": "#ffffff"
                     *         }
                     *       },
                     *       "introduction": "Servers of the **Nordland** community. [Rules](https://example.org/rules)",
                     *       "imprintUrl": "https://example.org/imprint",
                     *       "privacyUrl": "https://example.org/privacy",
                     *       "logo": {
                     *         "state": "none",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook"
                     *       },
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Appearance"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `invalid_image` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    removeSiteLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Nordland PvE x5",
                     *       "accent": "#0b62d6",
                     *       "colors": {
                     *         "light": {
                     *           "accent": "#0b62d6",
                     *           "soft": "#e6effc",
                     *           "onAccent": "#ffffff"
                     *         },
                     *         "dark": {
                     *           "accent": "#0b62d6",
                     *           "soft": "#e6effc",
                     *           "onAccent": "#ffffff"
                     *         }
                     *       },
                     *       "introduction": "Servers of the **Nordland** community. [Rules](https://example.org/rules)",
                     *       "imprintUrl": "https://example.org/imprint",
                     *       "privacyUrl": "https://example.org/privacy",
                     *       "logo": {
                     *         "state": "none",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook"
                     *       },
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Appearance"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listAdminAuctions: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                status?: "active" | "completed" | "canceled";
                tier?: "standard" | "premium" | "enterprise";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "auctions": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "tier": "standard",
                     *           "location": "homepage-banner",
                     *           "title": "Top banner, 23 to 30 November",
                     *           "status": "active",
                     *           "startsAt": "2026-11-20T12:00:00.000Z",
                     *           "endsAt": "2026-11-20T12:00:00.000Z",
                     *           "placementDays": 1,
                     *           "currency": "USD",
                     *           "startingBid": 1,
                     *           "currentBid": 1,
                     *           "bidCount": 1,
                     *           "minimumIncrement": 1,
                     *           "leadingBidder": "Nordland PvE x5",
                     *           "winningBid": 1,
                     *           "winnerServerId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "slotId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "softCloseSeconds": 1,
                     *           "hasBids": true,
                     *           "recurs": true,
                     *           "offers": [
                     *             {
                     *               "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *               "userId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *               "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *               "amount": 1,
                     *               "status": "open",
                     *               "refund": {
                     *                 "status": "due",
                     *                 "attempts": 1,
                     *                 "lastError": "card_declined"
                     *               },
                     *               "offeredAt": "2026-11-20T12:00:00.000Z",
                     *               "expiresAt": "2026-11-20T12:00:00.000Z",
                     *               "obstacles": [
                     *                 {
                     *                   "kind": "slot_inactive",
                     *                   "beganAt": "2026-11-20T12:00:00.000Z",
                     *                   "endedAt": "2026-11-20T12:00:00.000Z"
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdminAuctionPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    createAuction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slotId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                 *       "title": "Top banner, 23 to 30 November",
                 *       "endsAt": "2026-11-20T12:00:00.000Z",
                 *       "startingBid": 1,
                 *       "minimumIncrement": 1
                 *     }
                 */
                "application/json": {
                    /** Format: date-time */
                    endsAt: string;
                    minimumIncrement: number;
                    /** @default 7 */
                    placementDays?: number;
                    /** @description The ad slot to auction */
                    slotId: string;
                    /** @description Default: the setting AUCTION_SOFT_CLOSE_SECONDS */
                    softCloseSeconds?: number;
                    startingBid: number;
                    /**
                     * Format: date-time
                     * @description Default: now
                     */
                    startsAt?: string;
                    title: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "tier": "standard",
                     *       "location": "homepage-banner",
                     *       "title": "Top banner, 23 to 30 November",
                     *       "status": "active",
                     *       "startsAt": "2026-11-20T12:00:00.000Z",
                     *       "endsAt": "2026-11-20T12:00:00.000Z",
                     *       "placementDays": 1,
                     *       "currency": "USD",
                     *       "startingBid": 1,
                     *       "currentBid": 1,
                     *       "bidCount": 1,
                     *       "minimumIncrement": 1,
                     *       "leadingBidder": "Nordland PvE x5",
                     *       "winningBid": 1,
                     *       "winnerServerId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "slotId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "softCloseSeconds": 1,
                     *       "hasBids": true,
                     *       "recurs": true,
                     *       "offers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "userId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "amount": 1,
                     *           "status": "open",
                     *           "refund": {
                     *             "status": "due",
                     *             "attempts": 1,
                     *             "lastError": "card_declined"
                     *           },
                     *           "offeredAt": "2026-11-20T12:00:00.000Z",
                     *           "expiresAt": "2026-11-20T12:00:00.000Z",
                     *           "obstacles": [
                     *             {
                     *               "kind": "slot_inactive",
                     *               "beganAt": "2026-11-20T12:00:00.000Z",
                     *               "endedAt": "2026-11-20T12:00:00.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdminAuction"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `slot_inactive` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getAdminAuction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Auction id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "tier": "standard",
                     *       "location": "homepage-banner",
                     *       "title": "Top banner, 23 to 30 November",
                     *       "status": "active",
                     *       "startsAt": "2026-11-20T12:00:00.000Z",
                     *       "endsAt": "2026-11-20T12:00:00.000Z",
                     *       "placementDays": 1,
                     *       "currency": "USD",
                     *       "startingBid": 1,
                     *       "currentBid": 1,
                     *       "bidCount": 1,
                     *       "minimumIncrement": 1,
                     *       "leadingBidder": "Nordland PvE x5",
                     *       "winningBid": 1,
                     *       "winnerServerId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "slotId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "softCloseSeconds": 1,
                     *       "hasBids": true,
                     *       "recurs": true,
                     *       "offers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "userId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "amount": 1,
                     *           "status": "open",
                     *           "refund": {
                     *             "status": "due",
                     *             "attempts": 1,
                     *             "lastError": "card_declined"
                     *           },
                     *           "offeredAt": "2026-11-20T12:00:00.000Z",
                     *           "expiresAt": "2026-11-20T12:00:00.000Z",
                     *           "obstacles": [
                     *             {
                     *               "kind": "slot_inactive",
                     *               "beganAt": "2026-11-20T12:00:00.000Z",
                     *               "endedAt": "2026-11-20T12:00:00.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdminAuction"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    deleteAuction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Auction id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `has_bids`, `auction_recurs` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updateAuction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Auction id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Top banner, 23 to 30 November"
                 *     }
                 */
                "application/json": {
                    /** Format: date-time */
                    endsAt?: string;
                    minimumIncrement?: number;
                    placementDays?: number;
                    softCloseSeconds?: number;
                    startingBid?: number;
                    /** Format: date-time */
                    startsAt?: string;
                    /** @constant */
                    status?: "canceled";
                    title?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "tier": "standard",
                     *       "location": "homepage-banner",
                     *       "title": "Top banner, 23 to 30 November",
                     *       "status": "active",
                     *       "startsAt": "2026-11-20T12:00:00.000Z",
                     *       "endsAt": "2026-11-20T12:00:00.000Z",
                     *       "placementDays": 1,
                     *       "currency": "USD",
                     *       "startingBid": 1,
                     *       "currentBid": 1,
                     *       "bidCount": 1,
                     *       "minimumIncrement": 1,
                     *       "leadingBidder": "Nordland PvE x5",
                     *       "winningBid": 1,
                     *       "winnerServerId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "slotId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "softCloseSeconds": 1,
                     *       "hasBids": true,
                     *       "recurs": true,
                     *       "offers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "userId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "amount": 1,
                     *           "status": "open",
                     *           "refund": {
                     *             "status": "due",
                     *             "attempts": 1,
                     *             "lastError": "card_declined"
                     *           },
                     *           "offeredAt": "2026-11-20T12:00:00.000Z",
                     *           "expiresAt": "2026-11-20T12:00:00.000Z",
                     *           "obstacles": [
                     *             {
                     *               "kind": "slot_inactive",
                     *               "beganAt": "2026-11-20T12:00:00.000Z",
                     *               "endedAt": "2026-11-20T12:00:00.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdminAuction"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `has_bids`, `auction_closed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    voidBid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Bid id */
                bidId: string;
                /** @description Auction id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description Stored in the audit log */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "tier": "standard",
                     *       "location": "homepage-banner",
                     *       "title": "Top banner, 23 to 30 November",
                     *       "status": "active",
                     *       "startsAt": "2026-11-20T12:00:00.000Z",
                     *       "endsAt": "2026-11-20T12:00:00.000Z",
                     *       "placementDays": 1,
                     *       "currency": "USD",
                     *       "startingBid": 1,
                     *       "currentBid": 1,
                     *       "bidCount": 1,
                     *       "minimumIncrement": 1,
                     *       "leadingBidder": "Nordland PvE x5",
                     *       "winningBid": 1,
                     *       "winnerServerId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "slotId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "softCloseSeconds": 1,
                     *       "hasBids": true,
                     *       "recurs": true,
                     *       "offers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "userId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "amount": 1,
                     *           "status": "open",
                     *           "refund": {
                     *             "status": "due",
                     *             "attempts": 1,
                     *             "lastError": "card_declined"
                     *           },
                     *           "offeredAt": "2026-11-20T12:00:00.000Z",
                     *           "expiresAt": "2026-11-20T12:00:00.000Z",
                     *           "obstacles": [
                     *             {
                     *               "kind": "slot_inactive",
                     *               "beganAt": "2026-11-20T12:00:00.000Z",
                     *               "endedAt": "2026-11-20T12:00:00.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AdminAuction"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `bid_not_valid`, `auction_closed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description For example `server.update` */
                action?: string;
                /** @description The user who acted */
                actorId?: string;
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                /** @description Id of the target */
                targetId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "at": "2026-11-20T12:00:00.000Z",
                     *           "actorId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "actorUsername": "Grace",
                     *           "action": "server.hide",
                     *           "targetType": "server",
                     *           "targetId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "details": {
                     *             "details": {}
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AuditRecordPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listContactMessages: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                /** @description Only messages with (true) or without (false) the hidden field filled in */
                suspect?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "messages": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "email": "ada@example.org",
                     *           "subject": "A question about wipes",
                     *           "message": "Is your server open to new tribes?",
                     *           "visitor": "visitor-0123456789",
                     *           "isSuspect": true,
                     *           "createdAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ContactMessagePage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    deleteContactMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Message id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listDiscoveryBlocks: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "blocks": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "network": "203.0.113.0/24",
                     *           "host": "play.example.org",
                     *           "port": 27015,
                     *           "game": "ase",
                     *           "namePattern": "*test*",
                     *           "isOptOut": true,
                     *           "note": "Checked with the owner",
                     *           "createdAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DiscoveryBlockPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    addDiscoveryBlock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "network": "203.0.113.0/24"
                 *     }
                 */
                "application/json": {
                    game?: string;
                    /** @description A DNS name, also for the address that it leads to */
                    host?: string;
                    /** @description Part of the name; case does not count; `*` stands for any text */
                    namePattern?: string;
                    /** @description An IP address or a network in CIDR notation */
                    network?: string;
                    /**
                     * @description Visible to administrators only
                     * @default
                     */
                    note?: string;
                    /** @description Game or query port; only with `network` or `host`; without it all ports */
                    port?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "block": {
                     *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "network": "203.0.113.0/24",
                     *         "host": "play.example.org",
                     *         "port": 27015,
                     *         "game": "ase",
                     *         "namePattern": "*test*",
                     *         "isOptOut": true,
                     *         "note": "Checked with the owner",
                     *         "createdAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "removed": 1
                     *     }
                     */
                    "application/json": {
                        block: components["schemas"]["DiscoveryBlock"];
                        /** @description Unclaimed servers that are no longer listed */
                        removed: number;
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    removeDiscoveryBlock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Block id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "network": "203.0.113.0/24",
                     *       "host": "play.example.org",
                     *       "port": 27015,
                     *       "game": "ase",
                     *       "namePattern": "*test*",
                     *       "isOptOut": true,
                     *       "note": "Checked with the owner",
                     *       "createdAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DiscoveryBlock"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listDiscoverySources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sources": [
                     *         {
                     *           "source": "luanti",
                     *           "isEnabled": true,
                     *           "verdict": "ok",
                     *           "advice": "Nothing to do.",
                     *           "listed": 1,
                     *           "startedAt": "2026-11-20T12:00:00.000Z",
                     *           "finishedAt": "2026-11-20T12:00:00.000Z",
                     *           "nextRunAt": "2026-11-20T12:00:00.000Z",
                     *           "found": 1,
                     *           "added": 1,
                     *           "returned": 1,
                     *           "missing": 1,
                     *           "refused": {
                     *             "refused": 1
                     *           },
                     *           "failures": 1,
                     *           "error": "The endpoint answered 503."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        sources: components["schemas"]["DiscoverySource"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    runDiscoverySource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of a source */
                source: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": {
                        message: string;
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `not_runnable` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listFirstSteps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isNew": true,
                     *       "steps": [
                     *         {
                     *           "name": "administrator",
                     *           "isDone": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Whether no server is listed yet */
                        isNew: boolean;
                        steps: components["schemas"]["FirstStep"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listQueues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queues": [
                     *         {
                     *           "name": "Nordland PvE x5",
                     *           "verdict": "ok",
                     *           "advice": "Nothing to do.",
                     *           "ready": 1,
                     *           "active": 1,
                     *           "deferred": 1,
                     *           "failed": 1,
                     *           "dead": 1,
                     *           "lastReason": "The endpoint answered 503.",
                     *           "oldestAgeSeconds": 1,
                     *           "lostJobs": 1,
                     *           "completedPerMinute": 1,
                     *           "failedPerMinute": 1,
                     *           "deadLetter": "webhook-deliver-failed",
                     *           "schedule": "*\/5 * * * *",
                     *           "lastRunAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "hasWorker": true,
                     *       "supervisedSecondsAgo": 1
                     *     }
                     */
                    "application/json": {
                        /** @description Whether a worker is running: one has supervised the queues within a minute */
                        hasWorker: boolean;
                        queues: components["schemas"]["QueueState"][];
                        /** @description When a worker last supervised the queues; before the first time, when they were created; null: there are none */
                        supervisedSecondsAgo: number | null;
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listFailedJobs: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobs": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "queue": "webhook-deliver",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "failedAt": "2026-11-20T12:00:00.000Z",
                     *           "attempts": 1,
                     *           "reason": "The endpoint answered 503.",
                     *           "payload": {}
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FailedJobPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listJobs: {
        parameters: {
            query: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                /**
                 * @description `ready`: due; `active`: handled by a worker; `deferred`: due later, retries included; `completed`: as long as it is kept
                 * @example ready
                 */
                state: "ready" | "active" | "deferred" | "completed";
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobs": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "dueAt": "2026-11-20T12:00:00.000Z",
                     *           "startedAt": "2026-11-20T12:00:00.000Z",
                     *           "completedAt": "2026-11-20T12:00:00.000Z",
                     *           "attempts": 1,
                     *           "reason": "The endpoint answered 503.",
                     *           "payload": {}
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["QueueJobPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    redriveJobs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description Only these jobs; all by default */
                    ids?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "redriven": 1
                     *     }
                     */
                    "application/json": {
                        redriven: number;
                    };
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    retryJobs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description Only these jobs; all by default */
                    ids?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "retried": 1
                     *     }
                     */
                    "application/json": {
                        retried: number;
                    };
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listReports: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                /** @description `votes`: findings of suspicious votes */
                reason?: "offline" | "spam" | "abuse" | "misleading" | "other" | "votes";
                serverId?: string;
                status?: "open" | "resolved" | "dismissed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reports": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "serverName": "Nordland PvE x5",
                     *           "isListed": true,
                     *           "reporterId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "reporterUsername": "Linus",
                     *           "reason": "offline",
                     *           "details": "The address belongs to another server.",
                     *           "finding": {
                     *             "signal": "fewNetworks",
                     *             "votes": 128,
                     *             "selected": 1,
                     *             "usualShare": 1,
                     *             "busiestDay": 1,
                     *             "selection": {
                     *               "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *               "networks": "h3Vd9xQm2LrT7wKc",
                     *               "networkOwner": 1,
                     *               "hosting": true,
                     *               "from": "2026-11-20T12:00:00.000Z",
                     *               "until": "2026-11-20T12:00:00.000Z",
                     *               "name": "Nordland PvE x5",
                     *               "maxVisitorAge": 1,
                     *               "seenOnce": true,
                     *               "fromPage": true
                     *             }
                     *           },
                     *           "status": "open",
                     *           "note": "Checked with the owner",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdminReportPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    deleteReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Report id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    settleReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Report id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "open"
                 *     }
                 */
                "application/json": {
                    /** @description At most 1000 characters */
                    note?: string;
                    /** @enum {string} */
                    status?: "open" | "resolved" | "dismissed";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "serverName": "Nordland PvE x5",
                     *       "isListed": true,
                     *       "reporterId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "reporterUsername": "Linus",
                     *       "reason": "offline",
                     *       "details": "The address belongs to another server.",
                     *       "finding": {
                     *         "signal": "fewNetworks",
                     *         "votes": 128,
                     *         "selected": 1,
                     *         "usualShare": 1,
                     *         "busiestDay": 1,
                     *         "selection": {
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "networks": "h3Vd9xQm2LrT7wKc",
                     *           "networkOwner": 1,
                     *           "hosting": true,
                     *           "from": "2026-11-20T12:00:00.000Z",
                     *           "until": "2026-11-20T12:00:00.000Z",
                     *           "name": "Nordland PvE x5",
                     *           "maxVisitorAge": 1,
                     *           "seenOnce": true,
                     *           "fromPage": true
                     *         }
                     *       },
                     *       "status": "open",
                     *       "note": "Checked with the owner",
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AdminReport"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `already_reported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    voidReportedVotes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Report id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The endpoint answered 503."
                 *     }
                 */
                "application/json": {
                    /** @description Shown to the owners of the servers; 3 to 500 characters */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "createdBy": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "createdByUsername": "Ada",
                     *       "reason": "The endpoint answered 503.",
                     *       "selection": {
                     *         "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "networks": "h3Vd9xQm2LrT7wKc",
                     *         "networkOwner": 1,
                     *         "hosting": true,
                     *         "from": "2026-11-20T12:00:00.000Z",
                     *         "until": "2026-11-20T12:00:00.000Z",
                     *         "name": "Nordland PvE x5",
                     *         "maxVisitorAge": 1,
                     *         "seenOnce": true,
                     *         "fromPage": true
                     *       },
                     *       "status": "voiding",
                     *       "votes": 128,
                     *       "restoredVotes": 1,
                     *       "servers": 1,
                     *       "restorableUntil": "2026-11-20T12:00:00.000Z",
                     *       "restoredAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VoteVoiding"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `not_voidable` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listAllServers: {
        parameters: {
            query?: {
                hidden?: "true" | "false";
                /** @description Items per page */
                limit?: number;
                online?: "true" | "false";
                /** @description Id of the owner; `none`: servers without an owner */
                owner?: "none" | string;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                /** @description Part of the name or the address; case and accents do not count; or the id */
                search?: string;
                verified?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "game": "ase",
                     *           "ipAddress": "203.0.113.5",
                     *           "gamePort": 27015,
                     *           "queryPort": 27016,
                     *           "ownerId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "ownerUsername": "Ada",
                     *           "isVerified": true,
                     *           "isFeatured": true,
                     *           "hiddenAt": "2026-11-20T12:00:00.000Z",
                     *           "hiddenBy": "admin",
                     *           "isListed": true,
                     *           "isOnline": true,
                     *           "currentPlayers": 42,
                     *           "maxPlayers": 70,
                     *           "map": "TheIsland",
                     *           "consecutiveFailures": 1,
                     *           "lastPolledAt": "2026-11-20T12:00:00.000Z",
                     *           "lastOnlineAt": "2026-11-20T12:00:00.000Z",
                     *           "nextPollAt": "2026-11-20T12:00:00.000Z",
                     *           "totalVotes": 1840,
                     *           "shownFaces": [
                     *             "logo"
                     *           ],
                     *           "lockedFaces": [
                     *             "logo"
                     *           ],
                     *           "facesLockedByAdmin": [
                     *             "logo"
                     *           ],
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdminServerPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    removeServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    moderateServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hidden": true
                 *     }
                 */
                "application/json": {
                    /** @description Whether the server is removed from the directory and not polled. All that moderators may change */
                    hidden?: boolean;
                    isFeatured?: boolean;
                    isVerified?: boolean;
                    /** @description New owner; null: none. A change of the owner sets `isVerified` to false, unless it is given */
                    ownerId?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "name": "Nordland PvE x5",
                     *       "game": "ase",
                     *       "ipAddress": "203.0.113.5",
                     *       "gamePort": 27015,
                     *       "queryPort": 27016,
                     *       "ownerId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "ownerUsername": "Ada",
                     *       "isVerified": true,
                     *       "isFeatured": true,
                     *       "hiddenAt": "2026-11-20T12:00:00.000Z",
                     *       "hiddenBy": "admin",
                     *       "isListed": true,
                     *       "isOnline": true,
                     *       "currentPlayers": 42,
                     *       "maxPlayers": 70,
                     *       "map": "TheIsland",
                     *       "consecutiveFailures": 1,
                     *       "lastPolledAt": "2026-11-20T12:00:00.000Z",
                     *       "lastOnlineAt": "2026-11-20T12:00:00.000Z",
                     *       "nextPollAt": "2026-11-20T12:00:00.000Z",
                     *       "totalVotes": 1840,
                     *       "shownFaces": [
                     *         "logo"
                     *       ],
                     *       "lockedFaces": [
                     *         "logo"
                     *       ],
                     *       "facesLockedByAdmin": [
                     *         "logo"
                     *       ],
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AdminServer"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    lockServerFace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
                kind: "logo" | "banner" | "icon";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The endpoint answered 503."
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The owner reads it
                     * @default
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "logo": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "banner": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "icon": {
                     *         "url": "https://owner.example/hook",
                     *         "reason": "The endpoint answered 503.",
                     *         "isLocked": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerFaces"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    unlockServerFace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
                kind: "logo" | "banner" | "icon";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "logo": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "banner": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "icon": {
                     *         "url": "https://owner.example/hook",
                     *         "reason": "The endpoint answered 503.",
                     *         "isLocked": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerFaces"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    exportServers: {
        parameters: {
            query?: {
                hidden?: "true" | "false";
                online?: "true" | "false";
                /** @description Id of the owner; `none`: servers without an owner */
                owner?: "none" | string;
                /** @description Part of the name or the address; case and accents do not count; or the id */
                search?: string;
                verified?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    hideServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f"
                 *       ],
                 *       "hidden": true
                 *     }
                 */
                "application/json": {
                    /** @description Whether they are removed from the directory and not polled */
                    hidden: boolean;
                    ids: string[];
                    /**
                     * @description For the audit log
                     * @default
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "changed": 1,
                     *       "missing": [
                     *         "203.0.113.9:27015"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Servers that were not so before */
                        changed: number;
                        /** @description Ids of no server */
                        missing: string[];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    importServers: {
        parameters: {
            query?: {
                /** @description Whether nothing is listed: only what would be added and refused is answered */
                dryRun?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "text/plain": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dryRun": true,
                     *       "added": 1,
                     *       "refused": [
                     *         {
                     *           "place": "line 12",
                     *           "reason": "The endpoint answered 503."
                     *         }
                     *       ],
                     *       "ignoredColumns": [
                     *         "comment"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Rows that are listed now, or would be */
                        added: number;
                        dryRun: boolean;
                        /** @description Columns that no field has */
                        ignoredColumns: string[];
                        refused: components["schemas"]["RefusedRow"][];
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `unreadable_file` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getAdminStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "users": {
                     *         "total": 1,
                     *         "verified": 1,
                     *         "banned": 1,
                     *         "admins": 1,
                     *         "lastDay": 1
                     *       },
                     *       "sessions": {
                     *         "living": 1
                     *       },
                     *       "apiKeys": {
                     *         "usable": 1,
                     *         "usedLastDay": 1
                     *       },
                     *       "servers": {
                     *         "total": 1,
                     *         "online": 1,
                     *         "verified": 1,
                     *         "featured": 1,
                     *         "hidden": 1,
                     *         "unowned": 1,
                     *         "neverAnswered": 1,
                     *         "polledLastHour": 1
                     *       },
                     *       "polling": {
                     *         "overdue": 1,
                     *         "overdueSeconds": 1
                     *       },
                     *       "claims": {
                     *         "pending": 1
                     *       },
                     *       "polls": {
                     *         "hour": "2026-11-20T12:00:00.000Z",
                     *         "polls": 1,
                     *         "answered": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        apiKeys: {
                            usable: number;
                            usedLastDay: number;
                        };
                        claims: {
                            pending: number;
                        };
                        polling: {
                            /** @description Servers that were due for a poll more than 30 seconds ago */
                            overdue: number;
                            /** @description Since when the most overdue server has been due; negative: none is due; null: none is listed */
                            overdueSeconds: number | null;
                        };
                        /** @description Of the last hour in the history; null before the first */
                        polls: {
                            answered: number;
                            /** Format: date-time */
                            hour: string;
                            polls: number;
                        } | null;
                        servers: {
                            featured: number;
                            hidden: number;
                            neverAnswered: number;
                            online: number;
                            polledLastHour: number;
                            total: number;
                            unowned: number;
                            verified: number;
                        };
                        sessions: {
                            living: number;
                        };
                        users: {
                            admins: number;
                            banned: number;
                            /** @description Registered in the last 24 hours */
                            lastDay: number;
                            total: number;
                            /** @description With a verified e-mail address */
                            verified: number;
                        };
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                admin?: "true" | "false";
                banned?: "true" | "false";
                /** @description Items per page */
                limit?: number;
                moderator?: "true" | "false";
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                /** @description Part of the email address or the username; case and accents do not count; or the id */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "users": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "email": "ada@example.org",
                     *           "emailVerified": true,
                     *           "username": "Ada",
                     *           "avatarUrl": "https://avatars.example/ada.png",
                     *           "gamePlatformId": "76561197960287930",
                     *           "chatId": "80351110224678912",
                     *           "isAdmin": true,
                     *           "isModerator": true,
                     *           "tier": "free",
                     *           "bannedAt": "2026-11-20T12:00:00.000Z",
                     *           "sessions": 1,
                     *           "apiKeys": 1,
                     *           "ownedServers": 1,
                     *           "createdAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUserPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    removeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `own_account` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    moderateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "banned": true
                 *     }
                 */
                "application/json": {
                    /** @description A ban ends all sessions; API keys are rejected while it lasts */
                    banned?: boolean;
                    isAdmin?: boolean;
                    /** @description Moderators decide reports, read messages, hide servers and pictures, and see and void votes */
                    isModerator?: boolean;
                    /** @enum {string} */
                    tier?: "free" | "standard" | "premium" | "enterprise";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "email": "ada@example.org",
                     *       "emailVerified": true,
                     *       "username": "Ada",
                     *       "avatarUrl": "https://avatars.example/ada.png",
                     *       "gamePlatformId": "76561197960287930",
                     *       "chatId": "80351110224678912",
                     *       "isAdmin": true,
                     *       "isModerator": true,
                     *       "tier": "free",
                     *       "bannedAt": "2026-11-20T12:00:00.000Z",
                     *       "sessions": 1,
                     *       "apiKeys": 1,
                     *       "ownedServers": 1,
                     *       "createdAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `own_account`, `admin_by_setting`, `second_factor_missing` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listVoteNetworks: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Only servers with at least this many votes in the last 7 days */
                minVotes?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "votes": 128,
                     *           "networks": 1,
                     *           "topNetwork": "h3Vd9xQm2LrT7wKc",
                     *           "topNetworkVotes": 1,
                     *           "topNetworkShare": 1,
                     *           "ownerVotes": 1
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerVoteNetworksPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    previewVoteVoiding: {
        parameters: {
            query?: {
                /** @description Only votes at or after this time */
                from?: string;
                /** @description Whether a page of the site sent the vote */
                fromPage?: "true" | "false";
                /** @description `true`: only votes from networks of known hosting providers */
                hosting?: "true";
                /** @description Only votes whose visitor had voted for the first time, for any server, at most this many hours before */
                maxVisitorAge?: number;
                /** @description Pattern of the name or the identifier that the voter gave, in any case; `*` stands for any characters */
                name?: string;
                /** @description Number of the autonomous system (AS) that the network belongs to */
                networkOwner?: number;
                /** @description Keys of networks, comma-separated, as in `networks` of `previewVoteVoiding` */
                networks?: string;
                /** @description `true`: only votes whose visitor has voted once only, for any server; new visitors are known within an hour */
                seenOnce?: "true";
                /** @description Only votes for this server; default: for all */
                serverId?: string;
                /** @description Only votes before this time; default: now */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "votes": 128,
                     *       "servers": 1,
                     *       "voters": 1,
                     *       "until": "2026-11-20T12:00:00.000Z",
                     *       "changes": [
                     *         {
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "serverName": "Nordland PvE x5",
                     *           "votes": 128,
                     *           "totalBefore": 1,
                     *           "totalAfter": 1,
                     *           "months": [
                     *             {
                     *               "month": "2026-10",
                     *               "votes": 128,
                     *               "votesBefore": 1,
                     *               "votesAfter": 1,
                     *               "placeBefore": 1,
                     *               "placeAfter": 1
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "networks": [
                     *         {
                     *           "network": "h3Vd9xQm2LrT7wKc",
                     *           "networkOwner": 1,
                     *           "provider": "OVH",
                     *           "votes": 128
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["VotePreview"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    voidVotes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The endpoint answered 503."
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Only votes at or after this time
                     */
                    from?: string;
                    /** @description Whether a page of the site sent the vote */
                    fromPage?: boolean;
                    /**
                     * @description `true`: only votes from networks of known hosting providers
                     * @enum {boolean}
                     */
                    hosting?: true;
                    /** @description Only votes whose visitor had voted for the first time, for any server, at most this many hours before */
                    maxVisitorAge?: number;
                    /** @description Pattern of the name or the identifier that the voter gave, in any case; `*` stands for any characters */
                    name?: string;
                    /** @description Number of the autonomous system (AS) that the network belongs to */
                    networkOwner?: number;
                    /** @description Keys of networks, comma-separated, as in `networks` of `previewVoteVoiding` */
                    networks?: string;
                    /** @description Shown to the owners of the servers; 3 to 500 characters */
                    reason: string;
                    /**
                     * @description `true`: only votes whose visitor has voted once only, for any server; new visitors are known within an hour
                     * @enum {boolean}
                     */
                    seenOnce?: true;
                    /**
                     * Format: uuid
                     * @description Only votes for this server; default: for all
                     */
                    serverId?: string;
                    /**
                     * Format: date-time
                     * @description Only votes before this time; default: now
                     */
                    until?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "createdBy": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "createdByUsername": "Ada",
                     *       "reason": "The endpoint answered 503.",
                     *       "selection": {
                     *         "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "networks": "h3Vd9xQm2LrT7wKc",
                     *         "networkOwner": 1,
                     *         "hosting": true,
                     *         "from": "2026-11-20T12:00:00.000Z",
                     *         "until": "2026-11-20T12:00:00.000Z",
                     *         "name": "Nordland PvE x5",
                     *         "maxVisitorAge": 1,
                     *         "seenOnce": true,
                     *         "fromPage": true
                     *       },
                     *       "status": "voiding",
                     *       "votes": 128,
                     *       "restoredVotes": 1,
                     *       "servers": 1,
                     *       "restorableUntil": "2026-11-20T12:00:00.000Z",
                     *       "restoredAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VoteVoiding"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listVoteVoidings: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                /** @description Only those of votes for this server */
                serverId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "voidings": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "createdBy": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "createdByUsername": "Ada",
                     *           "reason": "The endpoint answered 503.",
                     *           "selection": {
                     *             "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *             "networks": "h3Vd9xQm2LrT7wKc",
                     *             "networkOwner": 1,
                     *             "hosting": true,
                     *             "from": "2026-11-20T12:00:00.000Z",
                     *             "until": "2026-11-20T12:00:00.000Z",
                     *             "name": "Nordland PvE x5",
                     *             "maxVisitorAge": 1,
                     *             "seenOnce": true,
                     *             "fromPage": true
                     *           },
                     *           "status": "voiding",
                     *           "votes": 128,
                     *           "restoredVotes": 1,
                     *           "servers": 1,
                     *           "restorableUntil": "2026-11-20T12:00:00.000Z",
                     *           "restoredAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VoteVoidingPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    restoreVotes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Voiding id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "createdBy": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "createdByUsername": "Ada",
                     *       "reason": "The endpoint answered 503.",
                     *       "selection": {
                     *         "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "networks": "h3Vd9xQm2LrT7wKc",
                     *         "networkOwner": 1,
                     *         "hosting": true,
                     *         "from": "2026-11-20T12:00:00.000Z",
                     *         "until": "2026-11-20T12:00:00.000Z",
                     *         "name": "Nordland PvE x5",
                     *         "maxVisitorAge": 1,
                     *         "seenOnce": true,
                     *         "fromPage": true
                     *       },
                     *       "status": "voiding",
                     *       "votes": 128,
                     *       "restoredVotes": 1,
                     *       "servers": 1,
                     *       "restorableUntil": "2026-11-20T12:00:00.000Z",
                     *       "restoredAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VoteVoiding"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `not_restorable` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    endAlert: {
        parameters: {
            query: {
                /**
                 * @description Of the alert; an unknown one is a success too
                 * @example 5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f
                 */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    announceServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "game": "ase"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `delete`: the server stops
                     * @default update
                     * @enum {string}
                     */
                    action?: "start" | "update" | "delete";
                    /** @description gamedig type id */
                    game: string;
                    /** @description Default: the game’s usual one */
                    gamePort?: number;
                    /** @description What players type, if it is a name; it must lead to the address that the request comes from */
                    ipAddress?: string;
                    /** @description Shown until a poll has read the server’s own */
                    name?: string;
                    /** @description Default: the game’s usual one for its game port */
                    queryPort?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": {
                        message: string;
                    };
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listAuctions: {
        parameters: {
            query?: {
                status?: "active" | "completed" | "canceled";
                tier?: "standard" | "premium" | "enterprise";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "auctions": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "tier": "standard",
                     *           "location": "homepage-banner",
                     *           "title": "Top banner, 23 to 30 November",
                     *           "status": "active",
                     *           "startsAt": "2026-11-20T12:00:00.000Z",
                     *           "endsAt": "2026-11-20T12:00:00.000Z",
                     *           "placementDays": 1,
                     *           "currency": "USD",
                     *           "startingBid": 1,
                     *           "currentBid": 1,
                     *           "bidCount": 1,
                     *           "minimumIncrement": 1,
                     *           "leadingBidder": "Nordland PvE x5",
                     *           "winningBid": 1,
                     *           "winnerServerId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        auctions: components["schemas"]["Auction"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    getAuction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Auction id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "tier": "standard",
                     *       "location": "homepage-banner",
                     *       "title": "Top banner, 23 to 30 November",
                     *       "status": "active",
                     *       "startsAt": "2026-11-20T12:00:00.000Z",
                     *       "endsAt": "2026-11-20T12:00:00.000Z",
                     *       "placementDays": 1,
                     *       "currency": "USD",
                     *       "startingBid": 1,
                     *       "currentBid": 1,
                     *       "bidCount": 1,
                     *       "minimumIncrement": 1,
                     *       "leadingBidder": "Nordland PvE x5",
                     *       "winningBid": 1,
                     *       "winnerServerId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "bids": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "bidAmount": 1,
                     *           "bidder": "Nordland PvE x5",
                     *           "placedAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuctionDetail"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    placeBid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Auction id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bidAmount": 1
                 *     }
                 */
                "application/json": {
                    bidAmount: number;
                    /** @description Server to feature; it can also be named at checkout */
                    serverId?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bid": {
                     *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "auctionId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "bidAmount": 1,
                     *         "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "placedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "auction": {
                     *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "tier": "standard",
                     *         "location": "homepage-banner",
                     *         "title": "Top banner, 23 to 30 November",
                     *         "status": "active",
                     *         "startsAt": "2026-11-20T12:00:00.000Z",
                     *         "endsAt": "2026-11-20T12:00:00.000Z",
                     *         "placementDays": 1,
                     *         "currency": "USD",
                     *         "startingBid": 1,
                     *         "currentBid": 1,
                     *         "bidCount": 1,
                     *         "minimumIncrement": 1,
                     *         "leadingBidder": "Nordland PvE x5",
                     *         "winningBid": 1,
                     *         "winnerServerId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f"
                     *       }
                     *     }
                     */
                    "application/json": {
                        auction: components["schemas"]["Auction"];
                        bid: components["schemas"]["Bid"];
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `own_lead`, `auction_closed`, `auction_not_started`, `slot_inactive`, `bid_too_low`, `bid_too_high` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BidTooLow"] | components["schemas"]["BidTooHigh"] | components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["BidTooLow"] | components["schemas"]["BidTooHigh"] | components["schemas"]["Error"];
                };
            };
            /** @description Not permitted; the second factor of the account is needed first. Codes of this operation: `email_not_verified`, `bidding_barred` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BiddingBarred"] | components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["BiddingBarred"] | components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    payAuction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Auction id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /**
                     * @description Of the payment page and the page it leads back to; default: the browser’s
                     * @enum {string}
                     */
                    language?: "en" | "de";
                    serverId?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "cs_test_a1b2c3d4",
                     *       "url": "https://owner.example/hook"
                     *     }
                     */
                    "application/json": {
                        sessionId: string;
                        /** Format: uri */
                        url: string;
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `auction_not_over`, `not_the_winner`, `already_paid`, `slot_inactive` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description Not possible at the moment; `Retry-After` gives the seconds to wait. Codes of this operation: `billing_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    beginChatLogin: {
        parameters: {
            query?: {
                /** @description Path of the site that the browser is led to at the end */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect */
            302: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    finishChatLogin: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect */
            302: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid. Codes of this operation: `provider_login_failed`, `identity_taken` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    beginGamePlatformLogin: {
        parameters: {
            query?: {
                /** @description Path of the site that the browser is led to at the end */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect */
            302: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    finishGamePlatformLogin: {
        parameters: {
            query?: {
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect */
            302: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid. Codes of this operation: `provider_login_failed`, `identity_taken` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description Case-insensitive; an international domain may be written in Unicode or punycode; at most 254 characters
                     */
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "email": "ada@example.org",
                     *         "username": "Ada",
                     *         "avatarUrl": "https://avatars.example/ada.png",
                     *         "gamePlatformId": "76561197960287930",
                     *         "chatId": "80351110224678912",
                     *         "isAdmin": true,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "_count": {
                     *           "ownedServers": 1,
                     *           "votes": 128
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserReply"];
                };
            };
            /** @description Authentication is needed, or is not valid. Codes of this operation: `second_factor_needed` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorNeeded"] | components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["SecondFactorNeeded"] | components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listLoginMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "password": true,
                     *       "chat": true,
                     *       "gameplatform": true
                     *     }
                     */
                    "application/json": components["schemas"]["LoginMethods"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description Case-insensitive; an international domain may be written in Unicode or punycode; at most 254 characters
                     */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    confirmPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "kQ2Zt7mVbX2sR9cLwYpE3d0aHfJgUiOoPlMnBvCxZ12",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    /** @description 8 to 128 characters; neither common nor derived from the username or the address */
                    password: string;
                    /** @description Also revoke all API keys and vote keys, unlink other platforms, remove the chat webhook and push browsers, and remove all members of your servers’ teams, if the address was verified before */
                    revokeAccess?: boolean;
                    /** @description From the mail */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `invalid_token` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org",
                 *       "password": "correct horse battery staple",
                 *       "username": "Ada"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description Case-insensitive; an international domain may be written in Unicode or punycode; at most 254 characters
                     */
                    email: string;
                    /** @description 8 to 128 characters; neither common nor derived from the username or the address */
                    password: string;
                    /** @description 2 to 50 characters, shown to others; need not be unique */
                    username: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "email": "ada@example.org",
                     *         "username": "Ada",
                     *         "avatarUrl": "https://avatars.example/ada.png",
                     *         "gamePlatformId": "76561197960287930",
                     *         "chatId": "80351110224678912",
                     *         "isAdmin": true,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "_count": {
                     *           "ownedServers": 1,
                     *           "votes": 128
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserReply"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `email_taken` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSecondStep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "methods": [
                     *         "passkey"
                     *       ],
                     *       "expiresAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SecondStep"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    completeLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "492039"
                 *     }
                 */
                "application/json": {
                    /** @description The six digits that the app shows; each counts once */
                    code?: string;
                    /** @description What `navigator.credentials.get` returned for the options */
                    passkey?: components["schemas"]["PasskeyAssertion"];
                    /** @description One of the recovery codes; each works once */
                    recoveryCode?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "email": "ada@example.org",
                     *         "username": "Ada",
                     *         "avatarUrl": "https://avatars.example/ada.png",
                     *         "gamePlatformId": "76561197960287930",
                     *         "chatId": "80351110224678912",
                     *         "isAdmin": true,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "_count": {
                     *           "ownedServers": 1,
                     *           "votes": 128
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserReply"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    beginPasskeyLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "challenge": "pWb1kJ9Q2yq0m2v8zq3nK4mJxk5nQy0s5b7m1hY6oZc",
                     *       "rpId": "servers.example",
                     *       "timeout": 1,
                     *       "userVerification": "preferred",
                     *       "allowCredentials": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "type": "public-key",
                     *           "transports": [
                     *             "internal",
                     *             "hybrid"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "email": "ada@example.org",
                     *         "username": "Ada",
                     *         "avatarUrl": "https://avatars.example/ada.png",
                     *         "gamePlatformId": "76561197960287930",
                     *         "chatId": "80351110224678912",
                     *         "isAdmin": true,
                     *         "createdAt": "2026-11-20T12:00:00.000Z",
                     *         "_count": {
                     *           "ownedServers": 1,
                     *           "votes": 128
                     *         }
                     *       },
                     *       "isModerator": true,
                     *       "lacksSecondFactor": true
                     *     }
                     */
                    "application/json": components["schemas"]["SessionReply"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "kQ2Zt7mVbX2sR9cLwYpE3d0aHfJgUiOoPlMnBvCxZ12"
                 *     }
                 */
                "application/json": {
                    /** @description The password of the account; not needed with a session that a password login created */
                    password?: string;
                    /** @description From the mail */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `invalid_token`, `password_needed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    sendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    startCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tier": "standard"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Of the payment page and the page it leads back to; default: the browser’s
                     * @enum {string}
                     */
                    language?: "en" | "de";
                    /** @enum {string} */
                    tier: "standard" | "premium" | "enterprise";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "cs_test_a1b2c3d4",
                     *       "url": "https://owner.example/hook"
                     *     }
                     */
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `already_subscribed`, `checkout_replaced` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at the moment; `Retry-After` gives the seconds to wait. Codes of this operation: `billing_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As `startCheckout` answered it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "open",
                     *       "isProcessing": true
                     *     }
                     */
                    "application/json": components["schemas"]["CheckoutState"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "prices": [
                     *         {
                     *           "tier": "standard",
                     *           "rateLimit": 1,
                     *           "amountCents": 1500,
                     *           "currency": "USD",
                     *           "interval": "day",
                     *           "intervalCount": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Of the tiers that can be ordered, cheapest tier first */
                        prices: components["schemas"]["Price"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not possible at the moment; `Retry-After` gives the seconds to wait. Codes of this operation: `billing_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    receiveBillingEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                 *       "type": "vote.created"
                 *     }
                 */
                "application/json": {
                    id: string;
                    type: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true
                     *     }
                     */
                    "application/json": {
                        received: boolean;
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `bad_signature`, `bad_event` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at the moment; `Retry-After` gives the seconds to wait. Codes of this operation: `billing_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    stopClaimByMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "kQ2Zt7mVbX2sR9cLwYpE3d0aHfJgUiOoPlMnBvCxZ12"
                 *     }
                 */
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stopped": 1,
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": {
                        /** @description What to do next, for people */
                        message: string;
                        /** @description Number of claims that were stopped */
                        stopped: number;
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `invalid_token` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    contact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nordland PvE x5",
                 *       "email": "ada@example.org",
                 *       "message": "Is your server open to new tribes?"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description Address for the reply
                     */
                    email: string;
                    /** @description At most 5000 characters */
                    message: string;
                    name: string;
                    /** @default  */
                    subject?: string;
                    /** @description Leave it empty: a hidden field that only bots fill in */
                    website?: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": {
                        message: string;
                        success: boolean;
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listGames: {
        parameters: {
            query?: {
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "games": [
                     *         {
                     *           "id": "ase",
                     *           "name": "Nordland PvE x5",
                     *           "protocol": "valve",
                     *           "gamePort": 27015,
                     *           "queryPort": 27016,
                     *           "servers": 1,
                     *           "players": 42
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Most players first, then most servers, then by name */
                        games: components["schemas"]["Game"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getIcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SHA-256 of the image in base64url, and `.png` */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. It never changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description The client has the image */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    getImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SHA-256 of the image in base64url, or that and `-64` for 64 pixels, and `.webp` */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. It never changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description The client has the image */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    announceLuantiServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "start"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    action: "start" | "update" | "delete";
                    /**
                     * @description Empty: the address that the request comes from
                     * @default
                     */
                    address?: string;
                    /** @default 0 */
                    clients?: number;
                    /** @default 0 */
                    clients_max?: number;
                    description?: string;
                    mods?: string[];
                    name?: string;
                    password?: boolean;
                    /** @default 30000 */
                    port?: number;
                    pvp?: boolean;
                    url?: string;
                    version?: string;
                };
                "multipart/form-data": {
                    json: string;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": "The announcement was received. The server is listed once it answers a query." | "The announcement was withdrawn.";
                };
            };
            default: components["responses"]["ErrorLine"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metrics */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    changeMailSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "kQ2Zt7mVbX2sR9cLwYpE3d0aHfJgUiOoPlMnBvCxZ123"
                 *     }
                 */
                "application/json": {
                    email?: boolean;
                    events?: {
                        auctionOutbid?: boolean;
                        auctionWon?: boolean;
                        serverOffline?: boolean;
                        serverOnline?: boolean;
                        serverWiped?: boolean;
                        voteMilestone?: boolean;
                    };
                    /**
                     * @description From the mail; valid for these settings only, while the account keeps its address
                     * @example kQ2Zt7mVbX2sR9cLwYpE3d0aHfJgUiOoPlMnBvCxZ123
                     */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": true,
                     *       "events": {
                     *         "serverOffline": true,
                     *         "serverOnline": true,
                     *         "serverWiped": true,
                     *         "voteMilestone": true,
                     *         "auctionOutbid": true,
                     *         "auctionWon": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MailSettings"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `invalid_token` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    openMailSettings: {
        parameters: {
            query: {
                /**
                 * @description From the mail; valid for these settings only, while the account keeps its address
                 * @example kQ2Zt7mVbX2sR9cLwYpE3d0aHfJgUiOoPlMnBvCxZ123
                 */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect */
            302: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    unsubscribeFromMail: {
        parameters: {
            query: {
                /**
                 * @description From the mail; valid for these settings only, while the account keeps its address
                 * @example kQ2Zt7mVbX2sR9cLwYpE3d0aHfJgUiOoPlMnBvCxZ123
                 */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `invalid_token` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getDescription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.1",
                     *       "paths": {
                     *         "paths": {}
                     *       }
                     *     }
                     */
                    "application/json": {
                        openapi: string;
                        paths: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listPlacementReach: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "places": [
                     *         {
                     *           "location": "homepage-banner",
                     *           "servers": 1,
                     *           "viewsPerDay": 1,
                     *           "viewsPerDayBefore": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlacementReach"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    askForVotes: {
        parameters: {
            query: {
                action?: "status" | "claim" | "post" | "custom";
                element?: "claim" | "reward";
                /**
                 * @description The vote key of your server
                 * @example xp
                 */
                key: string;
                object?: "votes" | "plugin";
                /** @description The player’s `gamePlatformId`; of Steam in any form */
                steamid?: string;
                /** @description The player’s name; case is ignored, except in OpenTTD and Terraria */
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": "0" | "1" | "2";
                };
            };
            default: components["responses"]["ErrorLine"];
        };
    };
    claimVotesByPlugin: {
        parameters: {
            query: {
                action?: "status" | "claim" | "post" | "custom";
                element?: "claim" | "reward";
                /**
                 * @description The vote key of your server
                 * @example xp
                 */
                key: string;
                object?: "votes" | "plugin";
                /** @description The player’s `gamePlatformId`; of Steam in any form */
                steamid?: string;
                /** @description The player’s name; case is ignored, except in OpenTTD and Terraria */
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": "0" | "1" | "2";
                };
            };
            default: components["responses"]["ErrorLine"];
        };
    };
    listPublicServers: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                map?: string;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "ipAddress": "203.0.113.5",
                     *           "gamePort": 27015,
                     *           "currentPlayers": 42,
                     *           "maxPlayers": 70,
                     *           "isOnline": true,
                     *           "map": "TheIsland",
                     *           "description": "Friendly PvE cluster with weekly events.",
                     *           "totalVotes": 1840,
                     *           "createdAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerSummaryPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    getPublicServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "name": "Nordland PvE x5",
                     *       "ipAddress": "203.0.113.5",
                     *       "gamePort": 27015,
                     *       "currentPlayers": 42,
                     *       "maxPlayers": 70,
                     *       "isOnline": true,
                     *       "map": "TheIsland",
                     *       "description": "Friendly PvE cluster with weekly events.",
                     *       "totalVotes": 1840,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "queryPort": 27016,
                     *       "rates": "xp:5,taming:10,harvest:3",
                     *       "mods": "731604991",
                     *       "chatUrl": "https://chat.example/nordland",
                     *       "website": "https://nordland.example",
                     *       "version": "358.24",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PublicServerDetail"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getServerBadge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getPlatformStatistics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totalServers": 1,
                     *       "onlineServers": 1,
                     *       "totalPlayers": 1,
                     *       "totalVotes": 1840
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformStatistics"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    getPushKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "publicKey": "BIIGo4Qmpp0Nh_2vI-qpUPkzqk39Wm0HIQWQV9PbqxsvY2a_ZL7WGjk-CtFeGmqJG6Hn1IhE1zQ7Lt1Oo_xOcOM"
                     *     }
                     */
                    "application/json": components["schemas"]["PushKey"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ready": true,
                     *       "checks": [
                     *         {
                     *           "name": "Nordland PvE x5",
                     *           "ready": true,
                     *           "reason": "The endpoint answered 503."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Not ready */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    listServers: {
        parameters: {
            query?: {
                country?: string;
                createdWithinDays?: number;
                cursor?: string;
                fields?: string;
                game?: string;
                gameMode?: "PvP" | "PvE" | "PvPvE";
                hasFreeSlots?: "true" | "false";
                hasPassword?: "true" | "false";
                isClaimed?: "true" | "false";
                isFeatured?: "true" | "false";
                isVerified?: "true" | "false";
                justWiped?: "true" | "false";
                /** @description Items per page */
                limit?: number;
                map?: string;
                maxMultiplier?: number;
                maxPlayers?: number;
                minMultiplier?: number;
                minPlayers?: number;
                minUptime?: number;
                notEmpty?: "true" | "false";
                onlineOnly?: "true" | "false";
                page?: number;
                q?: string;
                region?: string;
                search?: string;
                seed?: string;
                sortBy?: "score" | "totalVotes" | "monthlyVotes" | "recentVotes" | "currentPlayers" | "createdAt" | "name" | "uptime" | "lastWipeAt" | "nextWipeAt" | "rank" | "random";
                sortOrder?: "asc" | "desc";
                tags?: string;
                version?: string;
                wipedWithinDays?: number;
                wipesWithinDays?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "ipAddress": "203.0.113.5",
                     *           "gamePort": 27015,
                     *           "currentPlayers": 42,
                     *           "maxPlayers": 70,
                     *           "isOnline": true,
                     *           "map": "TheIsland",
                     *           "description": "Friendly PvE cluster with weekly events.",
                     *           "totalVotes": 1840,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "connectAddress": "play.example.org",
                     *           "joinUrl": "steam://connect/203.0.113.5:27015",
                     *           "currentBots": 0,
                     *           "hasPassword": true,
                     *           "iconUrl": "https://directory.example/icons/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.png",
                     *           "logoUrl": "https://directory.example/images/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.webp",
                     *           "game": "ase",
                     *           "gameName": "ARK: Survival Evolved",
                     *           "gameMode": "PvP",
                     *           "country": "SE",
                     *           "region": "eu",
                     *           "isRegionDerived": true,
                     *           "bannerUrl": "https://nordland.example/banner.png",
                     *           "motd": "Welcome to Nordland",
                     *           "tags": "pve,weekly-wipe",
                     *           "rates": "xp:5,taming:10,harvest:3",
                     *           "monthlyVotes": 128,
                     *           "lastWipeAt": "2026-11-20T12:00:00.000Z",
                     *           "nextWipeAt": "2026-11-20T12:00:00.000Z",
                     *           "isFeatured": true,
                     *           "isVerified": true,
                     *           "isClaimed": true,
                     *           "source": "owner",
                     *           "lastPolledAt": "2026-11-20T12:00:00.000Z",
                     *           "isStale": true,
                     *           "queryMs": 1,
                     *           "rank": 3,
                     *           "score": 71.4,
                     *           "playersByHour": [
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1,
                     *             1
                     *           ],
                     *           "standing": {
                     *             "month": "2026-11",
                     *             "place": 1,
                     *             "previousPlace": 1
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       },
                     *       "nextCursor": "eyJhdCI6MTc2MzY0MDAwMH0",
                     *       "ignoredWords": [
                     *         "server"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RankedServerItemPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    createServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nordland PvE x5",
                 *       "ipAddress": "203.0.113.5"
                 *     }
                 */
                "application/json": {
                    /** @description Where Bedrock players connect, if the game is `minecraft`: IPv4 address, IPv6 address or DNS name. Both editions are polled */
                    bedrockAddress?: string;
                    /** @description Port for Bedrock players; default: 19132 */
                    bedrockPort?: number;
                    chatUrl?: string;
                    description?: string;
                    /** @description gamedig type id; default: the setting `DEFAULT_GAME` */
                    game?: string;
                    /** @enum {string} */
                    gameMode?: "PvP" | "PvE" | "PvPvE";
                    /** @description Port for players. Leave it out if players connect without a port: then SRV records are followed where the game’s client does, else the game’s usual port counts */
                    gamePort?: number;
                    /** @description IPv4 address, IPv6 address or DNS name */
                    ipAddress: string;
                    name: string;
                    /** @description Whether polls set `name` to the name that the game server reports */
                    nameFromServer?: boolean;
                    /** @description Port for queries; default: the game’s usual one */
                    queryPort?: number;
                    region?: string;
                    /** @description Comma-separated */
                    tags?: string;
                    website?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "server": {
                     *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "name": "Nordland PvE x5"
                     *       },
                     *       "verificationToken": "sd-verify-k3v0q6t2m4x5b1cd",
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": {
                        message: string;
                        server: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                        /** @description Token that proves ownership once the game server shows it */
                        verificationToken: string;
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `already_listed`, `too_many_listings`, `opted_out` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "name": "Nordland PvE x5",
                     *       "ipAddress": "203.0.113.5",
                     *       "gamePort": 27015,
                     *       "currentPlayers": 42,
                     *       "maxPlayers": 70,
                     *       "isOnline": true,
                     *       "map": "TheIsland",
                     *       "description": "Friendly PvE cluster with weekly events.",
                     *       "totalVotes": 1840,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "queryPort": 27016,
                     *       "rates": "xp:5,taming:10,harvest:3",
                     *       "mods": "731604991",
                     *       "chatUrl": "https://chat.example/nordland",
                     *       "website": "https://nordland.example",
                     *       "version": "358.24",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z",
                     *       "connectAddress": "play.example.org",
                     *       "joinUrl": "steam://connect/203.0.113.5:27015",
                     *       "currentBots": 0,
                     *       "hasPassword": true,
                     *       "iconUrl": "https://directory.example/icons/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.png",
                     *       "logoUrl": "https://directory.example/images/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.webp",
                     *       "game": "ase",
                     *       "gameName": "ARK: Survival Evolved",
                     *       "gameMode": "PvP",
                     *       "country": "SE",
                     *       "region": "eu",
                     *       "isRegionDerived": true,
                     *       "bannerUrl": "https://nordland.example/banner.png",
                     *       "motd": "Welcome to Nordland",
                     *       "tags": "pve,weekly-wipe",
                     *       "monthlyVotes": 128,
                     *       "lastWipeAt": "2026-11-20T12:00:00.000Z",
                     *       "nextWipeAt": "2026-11-20T12:00:00.000Z",
                     *       "isFeatured": true,
                     *       "isVerified": true,
                     *       "isClaimed": true,
                     *       "source": "owner",
                     *       "lastPolledAt": "2026-11-20T12:00:00.000Z",
                     *       "isStale": true,
                     *       "queryMs": 1,
                     *       "motdFormatted": "§aWelcome to Nordland",
                     *       "selfReported": [
                     *         "description"
                     *       ],
                     *       "editions": {
                     *         "java": {
                     *           "connectAddress": "play.example.org:27015",
                     *           "isOnline": true
                     *         },
                     *         "bedrock": {
                     *           "connectAddress": "play.example.org:27015",
                     *           "isOnline": true
                     *         }
                     *       },
                     *       "bannerImageUrl": "https://directory.example/images/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.webp",
                     *       "consecutiveFailures": 1,
                     *       "uptime": {
                     *         "day": 1,
                     *         "week": 1,
                     *         "month": 1
                     *       },
                     *       "rank": 3,
                     *       "score": 71.4
                     *     }
                     */
                    "application/json": components["schemas"]["RankedServerDetail"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    deleteServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": {
                        message: string;
                    };
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updateServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nordland PvE x5"
                 *     }
                 */
                "application/json": {
                    bannerUrl?: string;
                    /** @description Where Bedrock players connect, if the game is `minecraft`: IPv4 address, IPv6 address or DNS name. Both editions are polled */
                    bedrockAddress?: string;
                    /** @description Port for Bedrock players; default: 19132 */
                    bedrockPort?: number;
                    chatUrl?: string;
                    description?: string;
                    /** @description gamedig type id */
                    game?: string;
                    /** @enum {string} */
                    gameMode?: "PvP" | "PvE" | "PvPvE" | "";
                    /** @description Port for players; null: they connect without a port */
                    gamePort?: number | null;
                    /** @description IPv4 address, IPv6 address or DNS name */
                    ipAddress?: string;
                    /** @description Comma-separated */
                    mods?: string;
                    name?: string;
                    /** @description Whether polls set `name` to the name that the game server reports */
                    nameFromServer?: boolean;
                    /** @description Port for queries; does not follow `gamePort` or `game` */
                    queryPort?: number;
                    /** @description Comma-separated `name:number` pairs */
                    rates?: string;
                    region?: string;
                    /** @description Comma-separated */
                    tags?: string;
                    website?: string;
                    /** @description When the server wipes: each week, or once. `nextWipeAt` follows; null: not known */
                    wipeSchedule?: ({
                        time: string;
                        /**
                         * @description IANA time zone, of which summer time counts
                         * @default UTC
                         */
                        timeZone?: string;
                        /** @enum {string} */
                        weekday: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
                    } | {
                        /** Format: date-time */
                        at: string;
                    }) | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "name": "Nordland PvE x5",
                     *       "ipAddress": "203.0.113.5",
                     *       "gamePort": 27015,
                     *       "currentPlayers": 42,
                     *       "maxPlayers": 70,
                     *       "isOnline": true,
                     *       "map": "TheIsland",
                     *       "description": "Friendly PvE cluster with weekly events.",
                     *       "totalVotes": 1840,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "queryPort": 27016,
                     *       "rates": "xp:5,taming:10,harvest:3",
                     *       "mods": "731604991",
                     *       "chatUrl": "https://chat.example/nordland",
                     *       "website": "https://nordland.example",
                     *       "version": "358.24",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z",
                     *       "connectAddress": "play.example.org",
                     *       "joinUrl": "steam://connect/203.0.113.5:27015",
                     *       "currentBots": 0,
                     *       "hasPassword": true,
                     *       "iconUrl": "https://directory.example/icons/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.png",
                     *       "logoUrl": "https://directory.example/images/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.webp",
                     *       "game": "ase",
                     *       "gameName": "ARK: Survival Evolved",
                     *       "gameMode": "PvP",
                     *       "country": "SE",
                     *       "region": "eu",
                     *       "isRegionDerived": true,
                     *       "bannerUrl": "https://nordland.example/banner.png",
                     *       "motd": "Welcome to Nordland",
                     *       "tags": "pve,weekly-wipe",
                     *       "monthlyVotes": 128,
                     *       "lastWipeAt": "2026-11-20T12:00:00.000Z",
                     *       "nextWipeAt": "2026-11-20T12:00:00.000Z",
                     *       "isFeatured": true,
                     *       "isVerified": true,
                     *       "isClaimed": true,
                     *       "source": "owner",
                     *       "lastPolledAt": "2026-11-20T12:00:00.000Z",
                     *       "isStale": true,
                     *       "queryMs": 1,
                     *       "motdFormatted": "§aWelcome to Nordland",
                     *       "selfReported": [
                     *         "description"
                     *       ],
                     *       "editions": {
                     *         "java": {
                     *           "connectAddress": "play.example.org:27015",
                     *           "isOnline": true
                     *         },
                     *         "bedrock": {
                     *           "connectAddress": "play.example.org:27015",
                     *           "isOnline": true
                     *         }
                     *       },
                     *       "bannerImageUrl": "https://directory.example/images/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.webp",
                     *       "consecutiveFailures": 1,
                     *       "uptime": {
                     *         "day": 1,
                     *         "week": 1,
                     *         "month": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerDetail"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `already_listed`, `opted_out` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getServerAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "username": "Ada",
                     *       "isAdmin": true,
                     *       "isModerator": true,
                     *       "role": "owner",
                     *       "rights": [
                     *         "read"
                     *       ],
                     *       "isFavorite": true
                     *     }
                     */
                    "application/json": components["schemas"]["ServerAccess"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getServerActivity: {
        parameters: {
            query?: {
                /** @description How many days, today included */
                days?: number;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": [
                     *         {
                     *           "day": "2026-11-20",
                     *           "views": 1,
                     *           "crawlerViews": 1,
                     *           "copies": 1,
                     *           "joins": 1,
                     *           "votes": 128,
                     *           "favorites": 1
                     *         }
                     *       ],
                     *       "placements": [
                     *         {
                     *           "placementId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "location": "homepage-banner",
                     *           "startsAt": "2026-11-20T12:00:00.000Z",
                     *           "endsAt": "2026-11-20T12:00:00.000Z",
                     *           "priceCents": 1500,
                     *           "currency": "usd",
                     *           "days": 1,
                     *           "views": 1,
                     *           "viewsBefore": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServerActivity"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    countServerActivity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "copy"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `copy`: of the address; `join`: a click on the link that starts the game
                     * @enum {string}
                     */
                    action: "copy" | "join";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getServerActivityCsv: {
        parameters: {
            query?: {
                /** @description How many days, today included */
                days?: number;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listServerAudit: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "at": "2026-11-20T12:00:00.000Z",
                     *           "action": "server.member.invite",
                     *           "actorUsername": "Grace",
                     *           "memberUsername": "Linus",
                     *           "role": "owner",
                     *           "fields": [
                     *             "description"
                     *           ]
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerAuditEntryPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    setServerBanner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/gif": string;
                "image/jpeg": string;
                "image/png": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "logo": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "banner": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "icon": {
                     *         "url": "https://owner.example/hook",
                     *         "reason": "The endpoint answered 503.",
                     *         "isLocked": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerFaces"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `invalid_image`, `face_locked` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    removeServerBanner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "logo": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "banner": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "icon": {
                     *         "url": "https://owner.example/hook",
                     *         "reason": "The endpoint answered 503.",
                     *         "isLocked": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerFaces"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getServerBanner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getServerCard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getServerChart: {
        parameters: {
            query?: {
                /** @description Language of the texts */
                lang?: "en" | "de";
                /** @description Time range; its points are 5 minutes, 1, 2 or 6 hours apart; more if servers are polled less often */
                range?: "24h" | "7d" | "30d" | "90d";
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "none",
                     *       "verificationToken": "sd-verify-k3v0q6t2m4x5b1cd",
                     *       "expiresAt": "2026-11-20T12:00:00.000Z",
                     *       "checkedAt": "2026-11-20T12:00:00.000Z",
                     *       "lastCheck": "token_missing",
                     *       "takeoverAt": "2026-11-20T12:00:00.000Z",
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": components["schemas"]["Claim"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    claimServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "verificationToken": "sd-verify-k3v0q6t2m4x5b1cd",
                     *       "message": "Is your server open to new tribes?",
                     *       "expiresAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: date-time */
                        expiresAt: string;
                        /** @description What to do next, for people */
                        message: string;
                        /** @example sd-verify-k3v0q6t2m4x5b1cd */
                        verificationToken: string;
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `already_verified`, `too_many_claims`, `claim_stopped` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    stopClaims: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stopped": 1,
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": {
                        /** @description What to do next, for people */
                        message: string;
                        /** @description Number of claims that were stopped */
                        stopped: number;
                    };
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    verifyClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "pending",
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": {
                        /** @description What to do next, for people */
                        message: string;
                        /** @enum {string} */
                        status: "pending" | "verified";
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `no_pending_claim` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    compareServers: {
        parameters: {
            query: {
                /**
                 * @description Comma-separated ids of 1 to 4 other servers
                 * @example with
                 */
                with: string;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "ipAddress": "203.0.113.5",
                     *           "gamePort": 27015,
                     *           "currentPlayers": 42,
                     *           "maxPlayers": 70,
                     *           "isOnline": true,
                     *           "map": "TheIsland",
                     *           "description": "Friendly PvE cluster with weekly events.",
                     *           "totalVotes": 1840,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "queryPort": 27016,
                     *           "rates": "xp:5,taming:10,harvest:3",
                     *           "mods": "731604991",
                     *           "chatUrl": "https://chat.example/nordland",
                     *           "website": "https://nordland.example",
                     *           "version": "358.24",
                     *           "updatedAt": "2026-11-20T12:00:00.000Z",
                     *           "connectAddress": "play.example.org",
                     *           "joinUrl": "steam://connect/203.0.113.5:27015",
                     *           "currentBots": 0,
                     *           "hasPassword": true,
                     *           "iconUrl": "https://directory.example/icons/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.png",
                     *           "logoUrl": "https://directory.example/images/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.webp",
                     *           "game": "ase",
                     *           "gameName": "ARK: Survival Evolved",
                     *           "gameMode": "PvP",
                     *           "country": "SE",
                     *           "region": "eu",
                     *           "isRegionDerived": true,
                     *           "bannerUrl": "https://nordland.example/banner.png",
                     *           "motd": "Welcome to Nordland",
                     *           "tags": "pve,weekly-wipe",
                     *           "monthlyVotes": 128,
                     *           "lastWipeAt": "2026-11-20T12:00:00.000Z",
                     *           "nextWipeAt": "2026-11-20T12:00:00.000Z",
                     *           "isFeatured": true,
                     *           "isVerified": true,
                     *           "isClaimed": true,
                     *           "source": "owner",
                     *           "lastPolledAt": "2026-11-20T12:00:00.000Z",
                     *           "isStale": true,
                     *           "queryMs": 1,
                     *           "motdFormatted": "§aWelcome to Nordland",
                     *           "selfReported": [
                     *             "description"
                     *           ],
                     *           "editions": {
                     *             "java": {
                     *               "connectAddress": "play.example.org:27015",
                     *               "isOnline": true
                     *             },
                     *             "bedrock": {
                     *               "connectAddress": "play.example.org:27015",
                     *               "isOnline": true
                     *             }
                     *           },
                     *           "bannerImageUrl": "https://directory.example/images/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.webp",
                     *           "consecutiveFailures": 1,
                     *           "uptime": {
                     *             "day": 1,
                     *             "week": 1,
                     *             "month": 1
                     *           },
                     *           "rank": 3,
                     *           "score": 71.4,
                     *           "peak24h": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The server, then the others in the requested order */
                        servers: components["schemas"]["ComparedServer"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoints": [
                     *         {
                     *           "kind": "standard",
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "url": "https://owner.example/hook",
                     *           "events": [
                     *             "vote.created"
                     *           ],
                     *           "isActive": true,
                     *           "disabledReason": "gone",
                     *           "disabledAt": "2026-11-20T12:00:00.000Z",
                     *           "failingSince": "2026-11-20T12:00:00.000Z",
                     *           "previousSecretUntil": "2026-11-20T12:00:00.000Z",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Endpoints"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    addEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "standard",
                 *       "url": "https://owner.example/hook",
                 *       "events": [
                 *         "vote.created"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The events that are posted */
                    events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
                    /** @constant */
                    kind: "standard";
                    /** @description Where events are posted; in production https, and no private address */
                    url: string;
                } | {
                    /** @description Host name or public address of the game server */
                    host: string;
                    /** @constant */
                    kind: "votifier2";
                    /** @description Port of the plugin; 8192 unless given */
                    port?: number;
                    /** @description The token in the plugin’s configuration; never returned */
                    token: string;
                } | {
                    /** @description Host name or public address of the game server */
                    host: string;
                    /** @constant */
                    kind: "votifier1";
                    /** @description Port of the plugin; 8192 unless given */
                    port?: number;
                    /** @description The text of the plugin’s `public.key`: RSA, 2048 bits, base64 (X.509) */
                    publicKey: string;
                } | {
                    /** @description The events that are posted */
                    events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
                    /** @constant */
                    kind: "discord";
                    /** @description The URL of the channel’s webhook, as Discord shows it; never returned */
                    url: string;
                } | {
                    /** @constant */
                    kind: "discord-status";
                    /** @description The URL of the channel’s webhook, as Discord shows it; never returned */
                    url: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "standard",
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "url": "https://owner.example/hook",
                     *       "events": [
                     *         "vote.created"
                     *       ],
                     *       "isActive": true,
                     *       "disabledReason": "gone",
                     *       "disabledAt": "2026-11-20T12:00:00.000Z",
                     *       "failingSince": "2026-11-20T12:00:00.000Z",
                     *       "previousSecretUntil": "2026-11-20T12:00:00.000Z",
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["AddedEndpoint"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `too_many_endpoints` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Endpoint id */
                endpointId: string;
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "standard",
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "url": "https://owner.example/hook",
                     *       "events": [
                     *         "vote.created"
                     *       ],
                     *       "isActive": true,
                     *       "disabledReason": "gone",
                     *       "disabledAt": "2026-11-20T12:00:00.000Z",
                     *       "failingSince": "2026-11-20T12:00:00.000Z",
                     *       "previousSecretUntil": "2026-11-20T12:00:00.000Z",
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    deleteEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Endpoint id */
                endpointId: string;
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    changeEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Endpoint id */
                endpointId: string;
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://owner.example/hook"
                 *     }
                 */
                "application/json": {
                    /** @description The events that are posted */
                    events?: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
                    /** @description Host name or public address of the game server */
                    host?: string;
                    /** @description Port of the plugin; 8192 unless given */
                    port?: number;
                    /** @description The text of the plugin’s `public.key`: RSA, 2048 bits, base64 (X.509) */
                    publicKey?: string;
                    /** @description The token in the plugin’s configuration; never returned */
                    token?: string;
                    /** @description The URL of the channel’s webhook, as Discord shows it; never returned */
                    url?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "standard",
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "url": "https://owner.example/hook",
                     *       "events": [
                     *         "vote.created"
                     *       ],
                     *       "isActive": true,
                     *       "disabledReason": "gone",
                     *       "disabledAt": "2026-11-20T12:00:00.000Z",
                     *       "failingSince": "2026-11-20T12:00:00.000Z",
                     *       "previousSecretUntil": "2026-11-20T12:00:00.000Z",
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listEndpointDeliveries: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                /** @description Only deliveries with this status */
                status?: "pending" | "delivered" | "dead" | "canceled";
            };
            header?: never;
            path: {
                /** @description Endpoint id */
                endpointId: string;
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "type": "vote.created",
                     *           "status": "pending",
                     *           "attempts": 1,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "nextAttemptAt": "2026-11-20T12:00:00.000Z",
                     *           "settledAt": "2026-11-20T12:00:00.000Z",
                     *           "payload": {
                     *             "payload": {}
                     *           },
                     *           "log": [
                     *             {
                     *               "number": 1,
                     *               "at": "2026-11-20T12:00:00.000Z",
                     *               "status": 1,
                     *               "latencyMs": 1,
                     *               "error": "The endpoint answered 503.",
                     *               "response": "There are 42 players online."
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Delivery id */
                deliveryId: string;
                /** @description Endpoint id */
                endpointId: string;
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "type": "vote.created",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "nextAttemptAt": "2026-11-20T12:00:00.000Z",
                     *       "settledAt": "2026-11-20T12:00:00.000Z",
                     *       "payload": {
                     *         "payload": {}
                     *       },
                     *       "log": [
                     *         {
                     *           "number": 1,
                     *           "at": "2026-11-20T12:00:00.000Z",
                     *           "status": 1,
                     *           "latencyMs": 1,
                     *           "error": "The endpoint answered 503.",
                     *           "response": "There are 42 players online."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `webhook_disabled` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    rotateEndpointSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Endpoint id */
                endpointId: string;
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "standard",
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "url": "https://owner.example/hook",
                     *       "events": [
                     *         "vote.created"
                     *       ],
                     *       "isActive": true,
                     *       "disabledReason": "gone",
                     *       "disabledAt": "2026-11-20T12:00:00.000Z",
                     *       "failingSince": "2026-11-20T12:00:00.000Z",
                     *       "previousSecretUntil": "2026-11-20T12:00:00.000Z",
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedEndpoint"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `secret_not_generated` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    testEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Endpoint id */
                endpointId: string;
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "type": "vote.created",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "nextAttemptAt": "2026-11-20T12:00:00.000Z",
                     *       "settledAt": "2026-11-20T12:00:00.000Z",
                     *       "payload": {
                     *         "payload": {}
                     *       },
                     *       "log": [
                     *         {
                     *           "number": 1,
                     *           "at": "2026-11-20T12:00:00.000Z",
                     *           "status": 1,
                     *           "latencyMs": 1,
                     *           "error": "The endpoint answered 503.",
                     *           "response": "There are 42 players online."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `webhook_disabled`, `no_events` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getServerFaces: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "logo": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "banner": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "icon": {
                     *         "url": "https://owner.example/hook",
                     *         "reason": "The endpoint answered 503.",
                     *         "isLocked": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerFaces"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    addFavorite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "userId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "createdAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Favorite"];
                };
            };
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "userId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "createdAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Favorite"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `too_many_favorites` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    removeFavorite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playersAtLeast": 1,
                     *       "playersAtMost": 1,
                     *       "backOnline": false,
                     *       "wipeSoon": false
                     *     }
                     */
                    "application/json": components["schemas"]["AlertSettingsOutput"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    setAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "playersAtLeast": 1
                 *     }
                 */
                "application/json": components["schemas"]["AlertSettings"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "playersAtLeast": 1,
                     *       "playersAtMost": 1,
                     *       "backOnline": false,
                     *       "wipeSoon": false
                     *     }
                     */
                    "application/json": components["schemas"]["AlertSettingsOutput"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `too_many_alerts` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    removeAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getFeatured: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isFeatured": true,
                     *       "placement": {
                     *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "location": "homepage-banner",
                     *         "tier": "standard",
                     *         "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "title": "Top banner, 23 to 30 November",
                     *         "imageUrl": "https://nordland.example/banner.png",
                     *         "linkUrl": "https://nordland.example",
                     *         "startsAt": "2026-11-20T12:00:00.000Z",
                     *         "endsAt": "2026-11-20T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        isFeatured: boolean;
                        /** @description The placement it is featured for; null if an administrator featured it or it is not featured */
                        placement: components["schemas"]["Placement"] | null;
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    offerServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description A member of the server
                     */
                    userId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "role": "owner",
                     *       "mayUseRcon": true,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "expiresAt": "2026-11-20T12:00:00.000Z",
                     *       "username": "Ada",
                     *       "email": "ada@example.org"
                     *     }
                     */
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
                /** @description Invitation id */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getListing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "name": "Nordland PvE x5",
                     *       "ipAddress": "203.0.113.5",
                     *       "gamePort": 27015,
                     *       "currentPlayers": 42,
                     *       "maxPlayers": 70,
                     *       "isOnline": true,
                     *       "map": "TheIsland",
                     *       "description": "Friendly PvE cluster with weekly events.",
                     *       "totalVotes": 1840,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "queryPort": 27016,
                     *       "rates": "xp:5,taming:10,harvest:3",
                     *       "mods": "731604991",
                     *       "chatUrl": "https://chat.example/nordland",
                     *       "website": "https://nordland.example",
                     *       "version": "358.24",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z",
                     *       "connectAddress": "play.example.org",
                     *       "joinUrl": "steam://connect/203.0.113.5:27015",
                     *       "currentBots": 0,
                     *       "hasPassword": true,
                     *       "iconUrl": "https://directory.example/icons/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.png",
                     *       "logoUrl": "https://directory.example/images/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.webp",
                     *       "game": "ase",
                     *       "gameName": "ARK: Survival Evolved",
                     *       "gameMode": "PvP",
                     *       "country": "SE",
                     *       "region": "eu",
                     *       "isRegionDerived": true,
                     *       "bannerUrl": "https://nordland.example/banner.png",
                     *       "motd": "Welcome to Nordland",
                     *       "tags": "pve,weekly-wipe",
                     *       "monthlyVotes": 128,
                     *       "lastWipeAt": "2026-11-20T12:00:00.000Z",
                     *       "nextWipeAt": "2026-11-20T12:00:00.000Z",
                     *       "isFeatured": true,
                     *       "isVerified": true,
                     *       "isClaimed": true,
                     *       "source": "owner",
                     *       "lastPolledAt": "2026-11-20T12:00:00.000Z",
                     *       "isStale": true,
                     *       "queryMs": 1,
                     *       "motdFormatted": "§aWelcome to Nordland",
                     *       "selfReported": [
                     *         "description"
                     *       ],
                     *       "editions": {
                     *         "java": {
                     *           "connectAddress": "play.example.org:27015",
                     *           "isOnline": true
                     *         },
                     *         "bedrock": {
                     *           "connectAddress": "play.example.org:27015",
                     *           "isOnline": true
                     *         }
                     *       },
                     *       "bannerImageUrl": "https://directory.example/images/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.webp",
                     *       "consecutiveFailures": 1,
                     *       "uptime": {
                     *         "day": 1,
                     *         "week": 1,
                     *         "month": 1
                     *       },
                     *       "gamePortGiven": true,
                     *       "bedrockAddress": "play.example.org:19132",
                     *       "bedrockPort": 1,
                     *       "nameFromServer": true,
                     *       "wipeSchedule": {
                     *         "weekday": "monday",
                     *         "time": "18:00",
                     *         "timeZone": "UTC"
                     *       },
                     *       "visibility": "listed",
                     *       "role": "owner",
                     *       "rights": [
                     *         "read"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServerListing"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    setServerLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/gif": string;
                "image/jpeg": string;
                "image/png": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "logo": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "banner": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "icon": {
                     *         "url": "https://owner.example/hook",
                     *         "reason": "The endpoint answered 503.",
                     *         "isLocked": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerFaces"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `invalid_image`, `face_locked` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    removeServerLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "logo": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "banner": {
                     *         "state": "none",
                     *         "source": "upload",
                     *         "reason": "The endpoint answered 503.",
                     *         "url": "https://owner.example/hook",
                     *         "isLocked": true,
                     *         "updatedAt": "2026-11-20T12:00:00.000Z"
                     *       },
                     *       "icon": {
                     *         "url": "https://owner.example/hook",
                     *         "reason": "The endpoint answered 503.",
                     *         "isLocked": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerFaces"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "members": [
                     *         {
                     *           "userId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "username": "Ada",
                     *           "role": "owner",
                     *           "mayUseRcon": true,
                     *           "joinedAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "invitations": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "role": "owner",
                     *           "mayUseRcon": true,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "expiresAt": "2026-11-20T12:00:00.000Z",
                     *           "username": "Ada",
                     *           "email": "ada@example.org"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Those that wait for an answer; empty for members */
                        invitations: components["schemas"]["SentInvitation"][];
                        /** @description The owner, then the others in the order in which they joined */
                        members: components["schemas"]["ServerMember"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["InviteMember"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "role": "owner",
                     *       "mayUseRcon": true,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "expiresAt": "2026-11-20T12:00:00.000Z",
                     *       "username": "Ada",
                     *       "email": "ada@example.org"
                     *     }
                     */
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `already_member`, `team_full` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
                /** @description Account id of the member */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
                /** @description Account id of the member */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "manager"
                 *     }
                 */
                "application/json": {
                    /** @description Of a manager: whether they may send RCON commands and set the commands that reward votes */
                    mayUseRcon?: boolean;
                    /** @enum {string} */
                    role?: "manager" | "viewer";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "username": "Ada",
                     *       "role": "owner",
                     *       "mayUseRcon": true,
                     *       "joinedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ServerMember"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listServerMods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mods": [
                     *         {
                     *           "name": "Nordland PvE x5"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description In the owner’s order */
                        mods: {
                            name: string;
                        }[];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getServerSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         "serverOffline"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServerSubscription"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    subscribeToServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "serverOffline"
                 *       ]
                 *     }
                 */
                "application/json": {
                    events: ("serverOffline" | "serverOnline" | "serverWiped" | "voteMilestone")[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         "serverOffline"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServerSubscription"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `too_many_subscriptions` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    unsubscribeFromServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    optOut: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Is your server open to new tribes?"
                     *     }
                     */
                    "application/json": {
                        message: string;
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `not_verified` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getPlayerHistory: {
        parameters: {
            query?: {
                /** @description Time range; its points are 5 minutes, 1, 2 or 6 hours apart; more if servers are polled less often */
                range?: "24h" | "7d" | "30d" | "90d";
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "points": [
                     *         {
                     *           "at": "2026-11-20T12:00:00.000Z",
                     *           "players": 42,
                     *           "maxPlayers": 70
                     *         }
                     *       ],
                     *       "peak": 1,
                     *       "average": 1,
                     *       "uptime": 0.992
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerHistory"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getServerRank: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "place": 1,
                     *       "servers": 1,
                     *       "placeInGame": 1,
                     *       "serversOfGame": 1,
                     *       "totalVotes": 1840,
                     *       "countedVotes": 1,
                     *       "playing": 1,
                     *       "availability": 1,
                     *       "score": 71.4
                     *     }
                     */
                    "application/json": components["schemas"]["ServerRank"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getRcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isConfigured": true,
                     *       "port": 27015,
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Rcon"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    configureRcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "port": 27015,
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    /** @description Stored encrypted, and never returned */
                    password: string;
                    /** @description Port of RCON, at the server’s own address: TCP for Source RCON and Rust’s WebRCON, UDP for Quake 3 games, FiveM and RedM, where it is the game port */
                    port: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isConfigured": true,
                     *       "port": 27015,
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Rcon"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    sendRconCommand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "command": "listplayers"
                 *     }
                 */
                "application/json": {
                    command: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "response": "There are 42 players online."
                     *     }
                     */
                    "application/json": {
                        /** @description The server’s answer; may be empty */
                        response: string;
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `rcon_unreachable`, `rcon_not_public`, `rcon_timeout`, `rcon_wrong_password`, `rcon_disconnected`, `rcon_protocol_error`, `rcon_answer_too_large`, `rcon_unreadable`, `rcon_not_verified`, `rcon_not_configured`, `rcon_busy` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    removeRcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    reportServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "offline"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description At most 1000 characters
                     * @default
                     */
                    details?: string;
                    /** @enum {string} */
                    reason: "offline" | "spam" | "abuse" | "misleading" | "other";
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "reason": "offline",
                     *       "details": "The address belongs to another server.",
                     *       "status": "open",
                     *       "createdAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `already_reported` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listServerStandings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "standings": [
                     *         {
                     *           "month": "2026-10",
                     *           "votes": 128,
                     *           "place": 1,
                     *           "placeInGame": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Finished months in which it had votes, best places first, at most 12 */
                        standings: components["schemas"]["ServerStanding"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getVoteStatus: {
        parameters: {
            query: {
                /**
                 * @description Identifies the visitor to the voting page; 10 to 100 characters
                 * @example visitor-0123456789
                 */
                visitorId: string;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "canVote": true,
                     *       "cooldownRemaining": 1,
                     *       "streak": 1
                     *     }
                     */
                    "application/json": components["schemas"]["VoteStatus"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    vote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "visitorId": "visitor-0123456789"
                 *     }
                 */
                "application/json": {
                    /** @description The voter’s identifier on the game platform, trimmed; at most 100 characters. Of Steam in any form: SteamID64, `STEAM_0:1:2345`, `[U:1:4691]` or `steamcommunity.com/profiles/…`; `steamcommunity.com/id/…` contains no identifier and is refused */
                    gamePlatformId?: string;
                    /** @description The solved challenge of `getVoteChallenge`, where one is required: base64 of the JSON `{ challenge, solution }` that ALTCHA’s widget and libraries make */
                    proof?: string;
                    /** @description The voter’s name, trimmed; at most 50 characters */
                    username?: string;
                    /** @description Identifies the visitor to the voting page; 10 to 100 characters */
                    visitorId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Thank you for your vote.",
                     *       "webhookSent": true,
                     *       "nextVoteAt": "2026-11-20T12:00:00.000Z",
                     *       "streak": 1
                     *     }
                     */
                    "application/json": components["schemas"]["VoteResult"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `proof_required`, `proof_invalid`, `proof_expired`, `proof_used` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description A request limit is reached; `Retry-After` gives the seconds to wait. Codes of this operation: `vote_cooldown` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoteCooldown"] | components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["VoteCooldown"] | components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listVoteKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "startsWith": "sdv_4fKq",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "lastUsedAt": "2026-11-20T12:00:00.000Z",
                     *           "validUntil": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The current key, then the one it replaced while that is valid */
                        keys: components["schemas"]["VoteKey"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    createVoteKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "voteKey": "sdv_4fKq0Zt7mVbX2sR9cLwYpE3d",
                     *       "startsWith": "sdv_4fKq",
                     *       "createdAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["NewVoteKey"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    revokeVoteKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getVoteRewards: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isEnabled": true,
                     *       "when": "vote",
                     *       "commands": [
                     *         "give {username} diamond 1"
                     *       ],
                     *       "stoppedAt": "2026-11-20T12:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VoteRewards"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    setVoteRewards: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "when": "vote",
                 *       "commands": [
                 *         "give {username} diamond 1"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Sent one after the other; `{username}`, `{gamePlatformId}`, `{votes}` and `{streak}` are replaced */
                    commands: string[];
                    /**
                     * @description `vote`: as soon as a vote comes. `claim`: when `votes/claim` or a reward plugin claims it
                     * @enum {string}
                     */
                    when: "vote" | "claim";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isEnabled": true,
                     *       "when": "vote",
                     *       "commands": [
                     *         "give {username} diamond 1"
                     *       ],
                     *       "stoppedAt": "2026-11-20T12:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VoteRewards"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `rcon_not_configured`, `rcon_not_verified` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    removeVoteRewards: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listVoteRewards: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rewards": [
                     *         {
                     *           "voteId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "username": "Ada",
                     *           "gamePlatformId": "76561197960287930",
                     *           "status": "waiting",
                     *           "reason": "The endpoint answered 503.",
                     *           "message": "Is your server open to new tribes?",
                     *           "commands": [
                     *             "give {username} diamond 1"
                     *           ],
                     *           "commandsRun": 1,
                     *           "answer": "Gave 1 Diamond to Ada",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "settledAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VoteRewardPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getVoteChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "required": true,
                     *       "parameters": {
                     *         "algorithm": "PBKDF2/SHA-256",
                     *         "cost": 1,
                     *         "keyLength": 1,
                     *         "keyPrefix": "00f3",
                     *         "nonce": "1f2e3d4c",
                     *         "salt": "6b9d8f7e",
                     *         "expiresAt": 1,
                     *         "data": {
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f"
                     *         }
                     *       },
                     *       "signature": "9f86d081884c7d659a2feaa0c55ad015"
                     *     }
                     */
                    "application/json": components["schemas"]["VoteChallenge"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    remindByMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "visitorId": "visitor-0123456789"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Of the reminders
                     * @default en
                     * @enum {string}
                     */
                    language?: "en" | "de";
                    /** @description Identifies the visitor to the voting page; 10 to 100 characters */
                    visitorId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "remindAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VoteReminder"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `vote_first`, `email_not_verified` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    followVote: {
        parameters: {
            query: {
                /**
                 * @description Identifies the visitor to the voting page; 10 to 100 characters
                 * @example visitor-0123456789
                 */
                visitorId: string;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["VoteProgressEvent"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    remindByPush: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "visitorId": "visitor-0123456789",
                 *       "push": {
                 *         "endpoint": "https://fcm.googleapis.com/fcm/send/dGVzdA",
                 *         "keys": {
                 *           "p256dh": "BIIGo4Qmpp0Nh_2vI-qpUPkzqk39Wm0HIQWQV9PbqxsvY2a_ZL7WGjk-CtFeGmqJG6Hn1IhE1zQ7Lt1Oo_xOcOM",
                 *           "auth": "kQ2Zt7mVbX2sR9cLwYpE3d"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Of the reminders
                     * @default en
                     * @enum {string}
                     */
                    language?: "en" | "de";
                    push: components["schemas"]["PushSubscription"];
                    /** @description Identifies the visitor to the voting page; 10 to 100 characters */
                    visitorId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "remindAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VoteReminder"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `vote_first` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listVotes: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description Votes per page */
                limit?: number;
                /** @description `asc`: as they were counted; `desc`: latest first */
                order?: "asc" | "desc";
                /** @description Only votes at or after this time */
                since?: string;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "votes": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "username": "Ada",
                     *           "gamePlatformId": "76561197960287930",
                     *           "votedAt": "2026-11-20T12:00:00.000Z",
                     *           "claimedAt": "2026-11-20T12:00:00.000Z",
                     *           "source": "visitor",
                     *           "voidedAt": "2026-11-20T12:00:00.000Z",
                     *           "voidReason": "Bought votes"
                     *         }
                     *       ],
                     *       "nextCursor": "eyJhdCI6MTc2MzY0MDAwMH0"
                     *     }
                     */
                    "application/json": {
                        /** @description Continues after the last vote of this page; null if the page is empty, and with `order=desc` if it has the first vote */
                        nextCursor: string | null;
                        votes: components["schemas"]["Vote"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    checkVoter: {
        parameters: {
            query?: {
                gamePlatformId?: string;
                username?: string;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "voted": true,
                     *       "claimed": 1,
                     *       "unclaimed": 1,
                     *       "nextVoteAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description Their claimed votes */
                        claimed: number;
                        /** @description 24 hours after their last vote; null if that has passed */
                        nextVoteAt: string | null;
                        /** @description Their votes that `votes/claim` would claim */
                        unclaimed: number;
                        /** @description Whether they voted for this server within the last 24 hours */
                        voted: boolean;
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    claimVotes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "gamePlatformId": "76561197960287930"
                 *     }
                 */
                "application/json": components["schemas"]["VoterClaim"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "claimed": 1,
                     *       "voteIds": [
                     *         "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        claimed: number;
                        /** @description The votes claimed by this request, oldest first */
                        voteIds: string[];
                    };
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listTopVoters: {
        parameters: {
            query?: {
                /** @description A calendar month, UTC; default: the current one */
                month?: string;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "month": "2026-10",
                     *       "voters": [
                     *         {
                     *           "username": "Ada",
                     *           "votes": 128
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        month: string;
                        /** @description At most 100, most votes first */
                        voters: {
                            username: string;
                            votes: number;
                        }[];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getTopVotersCsv: {
        parameters: {
            query?: {
                /** @description A calendar month, UTC; default: the current one */
                month?: string;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://owner.example/hook",
                     *       "events": [
                     *         "vote.created"
                     *       ],
                     *       "isActive": true,
                     *       "disabledReason": "gone",
                     *       "disabledAt": "2026-11-20T12:00:00.000Z",
                     *       "failingSince": "2026-11-20T12:00:00.000Z",
                     *       "previousSecretUntil": "2026-11-20T12:00:00.000Z",
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    setWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://owner.example/hook",
                 *       "events": [
                 *         "vote.created"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The events that are posted */
                    events: ("vote.created" | "vote.milestone" | "server.online" | "server.offline" | "server.wiped" | "auction.won")[];
                    /** @description Where events are posted; in production https, and no private address */
                    url: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://owner.example/hook",
                     *       "events": [
                     *         "vote.created"
                     *       ],
                     *       "isActive": true,
                     *       "disabledReason": "gone",
                     *       "disabledAt": "2026-11-20T12:00:00.000Z",
                     *       "failingSince": "2026-11-20T12:00:00.000Z",
                     *       "previousSecretUntil": "2026-11-20T12:00:00.000Z",
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["SetWebhookResult"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `too_many_endpoints` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                /** @description Only deliveries with this status */
                status?: "pending" | "delivered" | "dead" | "canceled";
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "type": "vote.created",
                     *           "status": "pending",
                     *           "attempts": 1,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "nextAttemptAt": "2026-11-20T12:00:00.000Z",
                     *           "settledAt": "2026-11-20T12:00:00.000Z",
                     *           "payload": {
                     *             "payload": {}
                     *           },
                     *           "log": [
                     *             {
                     *               "number": 1,
                     *               "at": "2026-11-20T12:00:00.000Z",
                     *               "status": 1,
                     *               "latencyMs": 1,
                     *               "error": "The endpoint answered 503.",
                     *               "response": "There are 42 players online."
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Delivery id */
                deliveryId: string;
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "type": "vote.created",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "nextAttemptAt": "2026-11-20T12:00:00.000Z",
                     *       "settledAt": "2026-11-20T12:00:00.000Z",
                     *       "payload": {
                     *         "payload": {}
                     *       },
                     *       "log": [
                     *         {
                     *           "number": 1,
                     *           "at": "2026-11-20T12:00:00.000Z",
                     *           "status": 1,
                     *           "latencyMs": 1,
                     *           "error": "The endpoint answered 503.",
                     *           "response": "There are 42 players online."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `webhook_disabled` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://owner.example/hook",
                     *       "events": [
                     *         "vote.created"
                     *       ],
                     *       "isActive": true,
                     *       "disabledReason": "gone",
                     *       "disabledAt": "2026-11-20T12:00:00.000Z",
                     *       "failingSince": "2026-11-20T12:00:00.000Z",
                     *       "previousSecretUntil": "2026-11-20T12:00:00.000Z",
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedWebhook"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "type": "vote.created",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "nextAttemptAt": "2026-11-20T12:00:00.000Z",
                     *       "settledAt": "2026-11-20T12:00:00.000Z",
                     *       "payload": {
                     *         "payload": {}
                     *       },
                     *       "log": [
                     *         {
                     *           "number": 1,
                     *           "at": "2026-11-20T12:00:00.000Z",
                     *           "status": 1,
                     *           "latencyMs": 1,
                     *           "error": "The endpoint answered 503.",
                     *           "response": "There are 42 players online."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `webhook_disabled` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listWipes: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wipes": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "wipedAt": "2026-11-20T12:00:00.000Z",
                     *           "kind": "full",
                     *           "note": "Checked with the owner",
                     *           "source": "owner"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WipePage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    addWipe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "full"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `full`: everything; `map`: the world, but players may keep their progress; `partial`: a part of the world
                     * @enum {string}
                     */
                    kind: "full" | "map" | "partial";
                    /**
                     * @description At most 500 characters
                     * @default
                     */
                    note?: string;
                    /**
                     * Format: date-time
                     * @description Default: now. Not in the future, and at most ten years ago
                     */
                    wipedAt?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "wipedAt": "2026-11-20T12:00:00.000Z",
                     *       "kind": "full",
                     *       "note": "Checked with the owner",
                     *       "source": "owner"
                     *     }
                     */
                    "application/json": components["schemas"]["Wipe"];
                };
            };
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "wipedAt": "2026-11-20T12:00:00.000Z",
                     *       "kind": "full",
                     *       "note": "Checked with the owner",
                     *       "source": "owner"
                     *     }
                     */
                    "application/json": components["schemas"]["Wipe"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    removeWipe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Server id */
                id: string;
                /** @description Wipe id */
                wipeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listServerChanges: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description Maximum number of servers per page, including removed ones; pages are limited to 1 MB */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "ipAddress": "203.0.113.5",
                     *           "gamePort": 27015,
                     *           "currentPlayers": 42,
                     *           "maxPlayers": 70,
                     *           "isOnline": true,
                     *           "map": "TheIsland",
                     *           "description": "Friendly PvE cluster with weekly events.",
                     *           "totalVotes": 1840,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "connectAddress": "play.example.org",
                     *           "joinUrl": "steam://connect/203.0.113.5:27015",
                     *           "currentBots": 0,
                     *           "hasPassword": true,
                     *           "iconUrl": "https://directory.example/icons/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.png",
                     *           "logoUrl": "https://directory.example/images/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.webp",
                     *           "game": "ase",
                     *           "gameName": "ARK: Survival Evolved",
                     *           "gameMode": "PvP",
                     *           "country": "SE",
                     *           "region": "eu",
                     *           "isRegionDerived": true,
                     *           "bannerUrl": "https://nordland.example/banner.png",
                     *           "motd": "Welcome to Nordland",
                     *           "tags": "pve,weekly-wipe",
                     *           "rates": "xp:5,taming:10,harvest:3",
                     *           "monthlyVotes": 128,
                     *           "lastWipeAt": "2026-11-20T12:00:00.000Z",
                     *           "nextWipeAt": "2026-11-20T12:00:00.000Z",
                     *           "isFeatured": true,
                     *           "isVerified": true,
                     *           "isClaimed": true,
                     *           "source": "owner",
                     *           "lastPolledAt": "2026-11-20T12:00:00.000Z",
                     *           "isStale": true,
                     *           "queryMs": 1
                     *         }
                     *       ],
                     *       "removed": [
                     *         "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f"
                     *       ],
                     *       "cursor": "18402",
                     *       "hasMore": true
                     *     }
                     */
                    "application/json": {
                        /** @description Send it with the next request */
                        cursor: string;
                        /** @description Whether more changes can be requested at once */
                        hasMore: boolean;
                        /** @description Removed servers: delete them if you have them */
                        removed: string[];
                        /** @description New or changed servers: store them by id */
                        servers: components["schemas"]["ServerItem"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid. Codes of this operation: `cursor_expired` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    countServers: {
        parameters: {
            query?: {
                country?: string;
                createdWithinDays?: number;
                game?: string;
                gameMode?: "PvP" | "PvE" | "PvPvE";
                hasFreeSlots?: "true" | "false";
                hasPassword?: "true" | "false";
                isClaimed?: "true" | "false";
                isFeatured?: "true" | "false";
                isVerified?: "true" | "false";
                justWiped?: "true" | "false";
                map?: string;
                maxMultiplier?: number;
                maxPlayers?: number;
                minMultiplier?: number;
                minPlayers?: number;
                minUptime?: number;
                notEmpty?: "true" | "false";
                onlineOnly?: "true" | "false";
                q?: string;
                region?: string;
                search?: string;
                tags?: string;
                version?: string;
                wipedWithinDays?: number;
                wipesWithinDays?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "game": [
                     *         {
                     *           "value": "TheIsland",
                     *           "servers": 1,
                     *           "name": "Nordland PvE x5"
                     *         }
                     *       ],
                     *       "map": [
                     *         {
                     *           "value": "TheIsland",
                     *           "servers": 1
                     *         }
                     *       ],
                     *       "region": [
                     *         {
                     *           "value": "TheIsland",
                     *           "servers": 1
                     *         }
                     *       ],
                     *       "country": [
                     *         {
                     *           "value": "TheIsland",
                     *           "servers": 1
                     *         }
                     *       ],
                     *       "gameMode": [
                     *         {
                     *           "value": "TheIsland",
                     *           "servers": 1
                     *         }
                     *       ],
                     *       "tags": [
                     *         {
                     *           "value": "TheIsland",
                     *           "servers": 1
                     *         }
                     *       ],
                     *       "isClaimed": [
                     *         {
                     *           "value": "TheIsland",
                     *           "servers": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Facets"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listFeaturedServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "ipAddress": "203.0.113.5",
                     *           "gamePort": 27015,
                     *           "currentPlayers": 42,
                     *           "maxPlayers": 70,
                     *           "isOnline": true,
                     *           "map": "TheIsland",
                     *           "game": "ase",
                     *           "gameName": "ARK: Survival Evolved",
                     *           "country": "SE"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        servers: components["schemas"]["FeaturedServer"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    lookUpServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["LookupRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "ipAddress": "203.0.113.5",
                     *           "gamePort": 27015,
                     *           "currentPlayers": 42,
                     *           "maxPlayers": 70,
                     *           "isOnline": true,
                     *           "map": "TheIsland",
                     *           "description": "Friendly PvE cluster with weekly events.",
                     *           "totalVotes": 1840,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "connectAddress": "play.example.org",
                     *           "joinUrl": "steam://connect/203.0.113.5:27015",
                     *           "currentBots": 0,
                     *           "hasPassword": true,
                     *           "iconUrl": "https://directory.example/icons/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.png",
                     *           "logoUrl": "https://directory.example/images/3q2-7wXyZ0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456.webp",
                     *           "game": "ase",
                     *           "gameName": "ARK: Survival Evolved",
                     *           "gameMode": "PvP",
                     *           "country": "SE",
                     *           "region": "eu",
                     *           "isRegionDerived": true,
                     *           "bannerUrl": "https://nordland.example/banner.png",
                     *           "motd": "Welcome to Nordland",
                     *           "tags": "pve,weekly-wipe",
                     *           "rates": "xp:5,taming:10,harvest:3",
                     *           "monthlyVotes": 128,
                     *           "lastWipeAt": "2026-11-20T12:00:00.000Z",
                     *           "nextWipeAt": "2026-11-20T12:00:00.000Z",
                     *           "isFeatured": true,
                     *           "isVerified": true,
                     *           "isClaimed": true,
                     *           "source": "owner",
                     *           "lastPolledAt": "2026-11-20T12:00:00.000Z",
                     *           "isStale": true,
                     *           "queryMs": 1
                     *         }
                     *       ],
                     *       "missing": [
                     *         "203.0.113.9:27015"
                     *       ],
                     *       "remaining": [
                     *         "203.0.113.7:27015"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Requested ids and addresses that no listed server has */
                        missing: string[];
                        /** @description Requested ids and addresses that did not fit into a reply of 1 MB: request them again */
                        remaining: string[];
                        /** @description In the requested order, each once. At most 20 per address and game port */
                        servers: components["schemas"]["ServerItem"][];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    probeServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ipAddress": "203.0.113.5"
                 *     }
                 */
                "application/json": {
                    /** @description gamedig type id; default: the setting `DEFAULT_GAME` */
                    game?: string;
                    /** @description Port for players. Leave it out if players connect without a port: then SRV records are followed where the game’s client does, else the game’s usual port counts */
                    gamePort?: number;
                    /** @description IPv4 address, IPv6 address or DNS name */
                    ipAddress: string;
                    /** @description Port for queries; default: the game’s usual one */
                    queryPort?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ipAddress": "203.0.113.5",
                     *       "queryPort": 27016,
                     *       "listedId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "result": {
                     *         "outcome": "answered",
                     *         "name": "Nordland PvE x5",
                     *         "players": 42,
                     *         "maxPlayers": 70,
                     *         "map": "TheIsland",
                     *         "version": "358.24",
                     *         "queryMs": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerProbe"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    recognizeServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "play.example.org"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description As players type it, a link that joins the server, or a command of a game’s console
                     * @example play.example.org
                     * @example 203.0.113.5:27015
                     * @example [2001:db8::1]:27015
                     * @example steam://connect/203.0.113.5:27015
                     */
                    address: string;
                    /** @description gamedig type id, if the game is known: only this one is asked for */
                    game?: string;
                    /** @description Port for queries, if it is known and `game` is given */
                    queryPort?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ipAddress": "203.0.113.5",
                     *       "gamePort": 27015,
                     *       "queryPort": 27016,
                     *       "game": "ase",
                     *       "gameName": "ARK: Survival Evolved",
                     *       "connectAddress": "play.example.org:27015",
                     *       "hasPassword": true,
                     *       "listedId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "result": {
                     *         "outcome": "answered",
                     *         "name": "Nordland PvE x5",
                     *         "players": 42,
                     *         "maxPlayers": 70,
                     *         "map": "TheIsland",
                     *         "version": "358.24",
                     *         "queryMs": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerRecognition"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    streamServers: {
        parameters: {
            query?: {
                cursor?: string;
                ids?: string;
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["StreamEvent"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `cursor_expired` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description A request limit is reached; `Retry-After` gives the seconds to wait. Codes of this operation: `too_many_streams` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    suggestServers: {
        parameters: {
            query?: {
                /** @description Maximum number */
                limit?: number;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "suggestions": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "ipAddress": "203.0.113.5",
                     *           "gamePort": 27015,
                     *           "currentPlayers": 42,
                     *           "maxPlayers": 70,
                     *           "isOnline": true,
                     *           "map": "TheIsland"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Best first */
                        suggestions: components["schemas"]["Suggestion"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listStandings: {
        parameters: {
            query?: {
                /** @description gamedig type id: only servers that had this game in the month, with places among them */
                game?: string;
                /** @description Items per page */
                limit?: number;
                /** @description A calendar month, UTC; default: the running one; a later month is empty */
                month?: string;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "month": "2026-10",
                     *       "isRunning": true,
                     *       "correctedAt": "2026-11-20T12:00:00.000Z",
                     *       "standings": [
                     *         {
                     *           "place": 1,
                     *           "previousPlace": 1,
                     *           "votes": 128,
                     *           "server": {
                     *             "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *             "name": "Nordland PvE x5",
                     *             "ipAddress": "203.0.113.5",
                     *             "gamePort": 27015,
                     *             "currentPlayers": 42,
                     *             "maxPlayers": 70,
                     *             "isOnline": true,
                     *             "map": "TheIsland"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Standings"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    getStatistics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hours": [
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z",
                     *         "2026-11-20T12:00:00.000Z"
                     *       ],
                     *       "servers": 1,
                     *       "players": 42,
                     *       "playersByHour": [
                     *         1
                     *       ],
                     *       "onlineServers": 1,
                     *       "games": [
                     *         {
                     *           "game": "ase",
                     *           "gameName": "ARK: Survival Evolved",
                     *           "servers": 1,
                     *           "players": 42,
                     *           "playersByHour": [
                     *             1
                     *           ]
                     *         }
                     *       ],
                     *       "countries": [
                     *         {
                     *           "country": "SE",
                     *           "servers": 1,
                     *           "players": 42,
                     *           "playersByHour": [
                     *             1
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Statistics"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    /** @description Needed if the account has a password */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `administrator_account` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "alerts": [
                     *         {
                     *           "playersAtLeast": 1,
                     *           "playersAtMost": 1,
                     *           "backOnline": false,
                     *           "wipeSoon": false,
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        alerts: components["schemas"]["ServerAlerts"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiKeys": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "key": "sd_4fKq0Zt7mVbX2sR9cLwYpE3d",
                     *           "tier": "free",
                     *           "rateLimit": 1,
                     *           "isActive": true,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "lastUsedAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        apiKeys: components["schemas"]["ApiKeyItem"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nordland PvE x5"
                 *     }
                 */
                "application/json": {
                    /** @description What the key is for, to distinguish it from others */
                    name: string;
                    /**
                     * @description What the key may be used for; default: all
                     * @default [
                     *       "read",
                     *       "votes",
                     *       "servers:write",
                     *       "endpoints",
                     *       "rcon"
                     *     ]
                     */
                    scopes?: ("read" | "votes" | "servers:write" | "endpoints" | "rcon")[];
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "name": "Nordland PvE x5",
                     *       "key": "sd_4fKq0Zt7mVbX2sR9cLwYpE3d",
                     *       "tier": "free",
                     *       "rateLimit": 1,
                     *       "isActive": true,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV-b5sSYspob7oD"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `too_many_api_keys` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description API key id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "name": "Nordland PvE x5",
                     *       "key": "sd_4fKq0Zt7mVbX2sR9cLwYpE3d",
                     *       "tier": "free",
                     *       "rateLimit": 1,
                     *       "isActive": true,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "lastUsedAt": "2026-11-20T12:00:00.000Z",
                     *       "scopes": [
                     *         "read"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScopedApiKey"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description API key id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description API key id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nordland PvE x5"
                 *     }
                 */
                "application/json": {
                    /** @description `false` deactivates the key until it is set to `true` again */
                    isActive?: boolean;
                    /** @description What the key is for, to distinguish it from others */
                    name?: string;
                    /** @description What the key may be used for */
                    scopes?: ("read" | "votes" | "servers:write" | "endpoints" | "rcon")[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "name": "Nordland PvE x5",
                     *       "key": "sd_4fKq0Zt7mVbX2sR9cLwYpE3d",
                     *       "tier": "free",
                     *       "rateLimit": 1,
                     *       "isActive": true,
                     *       "createdAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listOwnAuctions: {
        parameters: {
            query?: {
                /** @description Only this auction */
                auctionId?: string;
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "auctions": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "tier": "standard",
                     *           "location": "homepage-banner",
                     *           "title": "Top banner, 23 to 30 November",
                     *           "status": "active",
                     *           "startsAt": "2026-11-20T12:00:00.000Z",
                     *           "endsAt": "2026-11-20T12:00:00.000Z",
                     *           "placementDays": 1,
                     *           "currency": "USD",
                     *           "startingBid": 1,
                     *           "currentBid": 1,
                     *           "bidCount": 1,
                     *           "minimumIncrement": 1,
                     *           "leadingBidder": "Nordland PvE x5",
                     *           "winningBid": 1,
                     *           "winnerServerId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "ownBid": 1,
                     *           "isLeading": true,
                     *           "offer": {
                     *             "amount": 1,
                     *             "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *             "status": "open",
                     *             "isProcessing": true,
                     *             "expiresAt": "2026-11-20T12:00:00.000Z",
                     *             "obstacles": [
                     *               {
                     *                 "kind": "slot_inactive",
                     *                 "beganAt": "2026-11-20T12:00:00.000Z",
                     *                 "endedAt": "2026-11-20T12:00:00.000Z"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OwnAuctionPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    exportPersonalData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "exportedAt": "2026-11-20T12:00:00.000Z",
                     *       "incomplete": [
                     *         "auditLog"
                     *       ],
                     *       "parts": {
                     *         "favorites": [
                     *           {
                     *             "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *             "createdAt": "2026-11-20T12:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PersonalData"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listFavorites: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "favorites": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "ipAddress": "203.0.113.5",
                     *           "gamePort": 27015,
                     *           "currentPlayers": 42,
                     *           "maxPlayers": 70,
                     *           "isOnline": true,
                     *           "map": "TheIsland"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        favorites: components["schemas"]["FavoriteServer"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invitations": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "role": "owner",
                     *           "mayUseRcon": true,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "expiresAt": "2026-11-20T12:00:00.000Z",
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "serverName": "Nordland PvE x5",
                     *           "invitedBy": "Ada"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Newest first */
                        invitations: components["schemas"]["ReceivedInvitation"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Invitation id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "keepSecrets": false
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Of a hand-over: whether endpoints with their secrets, the RCON password, vote keys and reward commands stay. By default they are deleted
                     * @default false
                     */
                    keepSecrets?: boolean;
                    /**
                     * @description Of a hand-over: whether the members stay, and the former owner becomes a manager without RCON. By default only you remain
                     * @default false
                     */
                    keepTeam?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "role": "owner"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        role: "owner" | "manager" | "viewer";
                        /** Format: uuid */
                        serverId: string;
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `too_many_listings` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    declineInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Invitation id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listMemberships: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "ipAddress": "203.0.113.5",
                     *           "gamePort": 27015,
                     *           "isOnline": true,
                     *           "totalVotes": 1840,
                     *           "monthlyVotes": 128,
                     *           "recentVotes": 12,
                     *           "role": "manager",
                     *           "mayUseRcon": true
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MemberServerPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    getNotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": true,
                     *       "chat": true,
                     *       "events": {
                     *         "serverOffline": true,
                     *         "serverOnline": true,
                     *         "serverWiped": true,
                     *         "voteMilestone": true,
                     *         "auctionOutbid": true,
                     *         "auctionWon": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    updateNotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": true
                 *     }
                 */
                "application/json": {
                    chat?: boolean;
                    email?: boolean;
                    events?: {
                        auctionOutbid?: boolean;
                        auctionWon?: boolean;
                        serverOffline?: boolean;
                        serverOnline?: boolean;
                        serverWiped?: boolean;
                        voteMilestone?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": true,
                     *       "chat": true,
                     *       "events": {
                     *         "serverOffline": true,
                     *         "serverOnline": true,
                     *         "serverWiped": true,
                     *         "voteMilestone": true,
                     *         "auctionOutbid": true,
                     *         "auctionWon": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getChatWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isSet": true,
                     *       "host": "play.example.org"
                     *     }
                     */
                    "application/json": components["schemas"]["ChatWebhook"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    setChatWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://owner.example/hook"
                 *     }
                 */
                "application/json": {
                    url: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isSet": true,
                     *       "host": "play.example.org"
                     *     }
                     */
                    "application/json": components["schemas"]["ChatWebhook"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deleteChatWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
                unread?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "notifications": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "event": "serverOffline",
                     *           "serverId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "auctionId": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "title": "Top banner, 23 to 30 November",
                     *           "message": "Is your server open to new tribes?",
                     *           "count": 1,
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "readAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    readNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f"
                 *       ]
                 *     }
                 */
                "application/json": {
                    ids: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "updated": 1
                     *     }
                     */
                    "application/json": {
                        success: boolean;
                        /** @description How many of them were yours and unread */
                        updated: number;
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "newPassword": "a longer horse battery staple"
                 *     }
                 */
                "application/json": {
                    /** @description Needed if the account has a password */
                    currentPassword?: string;
                    /** @description 8 to 128 characters; neither common nor derived from the username or the address */
                    newPassword: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `email_needed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "email": "ada@example.org",
                     *       "username": "Ada",
                     *       "avatarUrl": "https://avatars.example/ada.png",
                     *       "gamePlatformId": "76561197960287930",
                     *       "chatId": "80351110224678912",
                     *       "isAdmin": true,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "_count": {
                     *         "ownedServers": 1,
                     *         "votes": 128
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "Ada"
                 *     }
                 */
                "application/json": {
                    avatarUrl?: string;
                    username?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "email": "ada@example.org",
                     *       "username": "Ada",
                     *       "avatarUrl": "https://avatars.example/ada.png",
                     *       "gamePlatformId": "76561197960287930",
                     *       "chatId": "80351110224678912",
                     *       "isAdmin": true,
                     *       "createdAt": "2026-11-20T12:00:00.000Z",
                     *       "_count": {
                     *         "ownedServers": 1,
                     *         "votes": 128
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listPushBrowsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "browsers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "language": "en",
                     *           "createdAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        browsers: components["schemas"]["PushBrowser"][];
                    };
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    addPushBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "push": {
                 *         "endpoint": "https://fcm.googleapis.com/fcm/send/dGVzdA",
                 *         "keys": {
                 *           "p256dh": "BIIGo4Qmpp0Nh_2vI-qpUPkzqk39Wm0HIQWQV9PbqxsvY2a_ZL7WGjk-CtFeGmqJG6Hn1IhE1zQ7Lt1Oo_xOcOM",
                 *           "auth": "kQ2Zt7mVbX2sR9cLwYpE3d"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Of the messages
                     * @default en
                     * @enum {string}
                     */
                    language?: "en" | "de";
                    push: components["schemas"]["PushSubscription"];
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "language": "en",
                     *       "createdAt": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PushBrowser"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    removePushBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Browser id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isOn": true,
                     *       "isRequired": true,
                     *       "passkeys": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "lastUsedAt": "2026-11-20T12:00:00.000Z",
                     *           "isDisabled": true
                     *         }
                     *       ],
                     *       "hasCodes": true,
                     *       "recoveryCodesLeft": 1,
                     *       "confirmedUntil": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    beginOneTimeCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    /** @description To set one-time codes up: needed if the account has a password and no second factor yet */
                    password?: string;
                    /** @description From `npm run accounts -- setup-code`: needed if the account’s rights need a second factor and it has none yet */
                    setupCode?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV-b5sSYspob7oD",
                     *       "uri": "otpauth://totp/servers.example:ada@example.org?secret=JBSWY3DPEHPK3PXP&issuer=servers.example"
                     *     }
                     */
                    "application/json": components["schemas"]["OneTimeCodesSetup"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `codes_known`, `setup_code_needed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    removeOneTimeCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    confirmOneTimeCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "492039"
                 *     }
                 */
                "application/json": {
                    /** @description The six digits that the app shows; each counts once */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recoveryCodes": [
                     *         "7K2M9-QX4TD-0H8BN-5VRWC",
                     *         "P3Z6A-1YJ7E-KG4S2-8M0FT"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AddedSecondFactor"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `not_begun` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "492039"
                 *     }
                 */
                "application/json": {
                    /** @description The six digits that the app shows; each counts once */
                    code?: string;
                    /** @description What `navigator.credentials.get` returned for the options */
                    passkey?: components["schemas"]["PasskeyAssertion"];
                    /** @description One of the recovery codes; each works once */
                    recoveryCode?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "confirmedUntil": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConfirmedSecondFactor"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    beginPasskeyConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "challenge": "pWb1kJ9Q2yq0m2v8zq3nK4mJxk5nQy0s5b7m1hY6oZc",
                     *       "rpId": "servers.example",
                     *       "timeout": 1,
                     *       "userVerification": "preferred",
                     *       "allowCredentials": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "type": "public-key",
                     *           "transports": [
                     *             "internal",
                     *             "hybrid"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nordland PvE x5",
                 *       "credential": {
                 *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                 *         "rawId": "Vd1m0fJm3Gk3w2yVxg8h5Q",
                 *         "type": "public-key",
                 *         "response": {
                 *           "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
                 *           "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5Q"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    credential: components["schemas"]["PasskeyAttestation"];
                    /** @description For its owner, such as the name of the device */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recoveryCodes": [
                     *         "7K2M9-QX4TD-0H8BN-5VRWC",
                     *         "P3Z6A-1YJ7E-KG4S2-8M0FT"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AddedSecondFactor"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `passkey_refused`, `passkey_known`, `too_many_passkeys` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the passkey */
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the passkey */
                passkeyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Nordland PvE x5"
                 *     }
                 */
                "application/json": {
                    /** @description For its owner, such as the name of the device */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": {
                    /** @description To add the first passkey: needed if the account has a password and no second factor yet */
                    password?: string;
                    /** @description From `npm run accounts -- setup-code`: needed if the account’s rights need a second factor and it has none yet */
                    setupCode?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rp": {
                     *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "name": "Nordland PvE x5"
                     *       },
                     *       "user": {
                     *         "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *         "name": "Nordland PvE x5",
                     *         "displayName": "Ada"
                     *       },
                     *       "challenge": "pWb1kJ9Q2yq0m2v8zq3nK4mJxk5nQy0s5b7m1hY6oZc",
                     *       "pubKeyCredParams": [
                     *         {
                     *           "type": "public-key",
                     *           "alg": 1
                     *         }
                     *       ],
                     *       "timeout": 1,
                     *       "excludeCredentials": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "type": "public-key",
                     *           "transports": [
                     *             "internal",
                     *             "hybrid"
                     *           ]
                     *         }
                     *       ],
                     *       "authenticatorSelection": {
                     *         "residentKey": "preferred",
                     *         "requireResidentKey": false,
                     *         "userVerification": "preferred"
                     *       },
                     *       "attestation": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `setup_code_needed` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    replaceRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recoveryCodes": [
                     *         "7K2M9-QX4TD-0H8BN-5VRWC",
                     *         "P3Z6A-1YJ7E-KG4S2-8M0FT"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `second_factor_off` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listOwnedServers: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "name": "Nordland PvE x5",
                     *           "ipAddress": "203.0.113.5",
                     *           "gamePort": 27015,
                     *           "isOnline": true,
                     *           "totalVotes": 1840,
                     *           "monthlyVotes": 128,
                     *           "recentVotes": 12
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OwnedServerPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Items per page */
                limit?: number;
                /** @description Page number, from 1; a page after the last is empty */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *           "browser": "Firefox",
                     *           "system": "Windows",
                     *           "country": "SE",
                     *           "openedBy": "password",
                     *           "createdAt": "2026-11-20T12:00:00.000Z",
                     *           "lastUsedAt": "2026-11-20T12:00:00.000Z",
                     *           "expiresAt": "2026-11-20T12:00:00.000Z",
                     *           "isCurrent": true
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "totalPages": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Session id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "canSubscribe": true,
                     *       "tiers": [
                     *         {
                     *           "name": "free",
                     *           "rateLimit": 1
                     *         }
                     *       ],
                     *       "tier": "free",
                     *       "status": "none",
                     *       "currentPeriodEnd": "2026-11-20T12:00:00.000Z",
                     *       "cancelAtPeriodEnd": true
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    cancelSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "canSubscribe": true,
                     *       "tiers": [
                     *         {
                     *           "name": "free",
                     *           "rateLimit": 1
                     *         }
                     *       ],
                     *       "tier": "free",
                     *       "status": "none",
                     *       "currentPeriodEnd": "2026-11-20T12:00:00.000Z",
                     *       "cancelAtPeriodEnd": true
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `no_subscription` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at the moment; `Retry-After` gives the seconds to wait. Codes of this operation: `billing_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    openSubscriptionPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://owner.example/hook"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: uri
                         * @description Page at the payment provider
                         */
                        url: string;
                    };
                };
            };
            /** @description The request is not valid. Codes of this operation: `no_subscription` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at the moment; `Retry-After` gives the seconds to wait. Codes of this operation: `billing_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    unlinkChat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `last_login_method` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    unlinkGamePlatform: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request is not valid. Codes of this operation: `last_login_method` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getVoteReminder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the reminder */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f",
                     *       "remindAt": "2026-11-20T12:00:00.000Z",
                     *       "channel": "push"
                     *     }
                     */
                    "application/json": components["schemas"]["RunningVoteReminder"];
                };
            };
            /** @description Not changed since the given `If-None-Match` */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    openVoteReminder: {
        parameters: {
            query: {
                /**
                 * @description Of the reminder; an unknown one is a success too
                 * @example 5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f
                 */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect */
            302: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    endVoteReminder: {
        parameters: {
            query: {
                /**
                 * @description Of the reminder; an unknown one is a success too
                 * @example 5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f
                 */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
}
