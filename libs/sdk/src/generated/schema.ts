// Generated from gateway/openapi.json by `npm run generate`. Do not edit.

export interface paths {
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description The lessons that the account may see, by date, earliest first. Needs the scope `sessions:read`.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Create a session
         * @description Books one lesson at once. It makes a booking of this lesson, named by `booking_id`; one that the school of its instructor makes has none and is not billed. A time that is not free is rejected with up to three times nearby that are. Needs the scope `sessions:write`.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a session
         * @description A lesson with its status, attendance and cancellation. Needs the scope `sessions:read`.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update or reschedule a session
         * @description Changes the fields that are sent; a new time is checked for conflicts, and the id stays. With `version`, only if the session is still at that version. Needs the scope `sessions:write`.
         */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/sessions/{session_id}/cancellation-quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Quote the cancellation of a session
         * @description What a cancellation would cost and give back now. It changes nothing. Needs the scope `sessions:read`.
         */
        get: operations["quoteCancellation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a session
         * @description What was paid beyond the fee is refunded, or becomes a makeup credit. Cancelling again answers the same. Needs the scope `sessions:write`.
         */
        post: operations["cancelSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a session
         * @description Marks a lesson that has started as given. Otherwise this happens 15 minutes after its end. Only the school may. Needs the scope `sessions:write`.
         */
        post: operations["completeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/attendance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record attendance
         * @description Whether the member came. A no-show may cost a fee; an excused one gives a makeup credit where it was paid. Only the school may. Once `attended` or `no_show` is recorded, only the school can move or cancel the session. Needs the scope `sessions:write`.
         */
        post: operations["recordAttendance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lessons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List lessons
         * @description Bookable lessons of every school, and those with members of the account, by date, earliest first; a school sees all of its own. Needs the scope `sessions:read`.
         */
        get: operations["listLessons"];
        put?: never;
        /**
         * Create a lesson
         * @description Adds a lesson with places that families can book. Its instructor, and a lane of its pool, are taken for it at once. Only the school may. Needs the scope `sessions:write`.
         */
        post: operations["createLesson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lessons/{lesson_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a lesson
         * @description A lesson with its places. The school sees all sessions, any other account only its own: of others it learns how many places are left. Needs the scope `sessions:read`.
         */
        get: operations["getLesson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update or move a lesson
         * @description Changes the fields that are sent. Another time, length, instructor or place moves all sessions of the lesson or none; each keeps its id and its price, and can be cancelled free of charge until it starts. Only the school may. Needs the scope `sessions:write`.
         */
        patch: operations["updateLesson"];
        trace?: never;
    };
    "/lessons/{lesson_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a lesson
         * @description Cancels a lesson with all of its sessions, without a fee. With `refund_as: credit` a session whose booking gives no makeup credits is refunded. Cancelling again answers the same. Only the school may. Needs the scope `sessions:write`.
         */
        post: operations["cancelLesson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lessons/{lesson_id}/attendance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record who came to a lesson
         * @description Records the attendance of several sessions of a lesson, with one answer for each entry: what is wrong with one changes no other. The same again changes nothing, and of two recordings the one with the later `recorded_at` counts. Only the school may. Needs the scope `sessions:write`.
         */
        post: operations["recordLessonAttendance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instructors/{instructor_id}/roster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a roster
         * @description The lessons of an instructor on a day in the zone of the instructor, in order, with who takes part in each. What the school may not read of a member is null. Each read is in the access log of the members. Only the school may, and its instructor from 7 days before to 7 days after today. Needs the scope `sessions:read`. Some of its fields need `members:medical` too, to be read or written.
         */
        get: operations["getRoster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List classes
         * @description Open classes of every school, newest first; a school sees all of its own. A class without levels or ages matches each. Needs the scope `sessions:read`.
         */
        get: operations["listClasses"];
        put?: never;
        /**
         * Create a class
         * @description Adds a class as a draft, which has no lessons and which the school alone sees until it is opened. Only the school may. Needs the scope `sessions:write`.
         */
        post: operations["createClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/classes/{class_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a class
         * @description A class: an open one of any school, or one of the school itself. Needs the scope `sessions:read`.
         */
        get: operations["getClass"];
        put?: never;
        post?: never;
        /**
         * Remove a class
         * @description Removes a draft. Only the school may. Needs the scope `sessions:write`.
         */
        delete: operations["removeClass"];
        options?: never;
        head?: never;
        /**
         * Update a class
         * @description Changes the fields that are sent; those of `recurrence` that are left out stay. The lessons to come of an open class follow one by one, but for fields that were changed on the lesson itself: the time of day and the length move them; `count`, `until` and `except` add lessons, or cancel them as by the school. Places that are booked keep their prices. Only the school may. Needs the scope `sessions:write`.
         */
        patch: operations["updateClass"];
        trace?: never;
    };
    "/classes/{class_id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a class
         * @description Makes the lessons of a draft and shows it to every account. A date that is past, outside the published hours, or on which the instructor, a lane or a closure is in the way is left out: `meta.warnings` names each as `date_left_out`. Opening again answers the same. Only the school may. Needs the scope `sessions:write`.
         */
        post: operations["openClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/classes/{class_id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a class
         * @description Cancels the lessons to come from a date on, as by the school, and takes no more enrollments. Closing again answers the same. Only the school may. Needs the scope `sessions:write`.
         */
        post: operations["closeClass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/classes/{class_id}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the enrollments in a class
         * @description Those of the account, or of everyone in a class of the school, newest first. Needs the scope `bookings:read`.
         */
        get: operations["listClassEnrollments"];
        put?: never;
        /**
         * Enroll a member
         * @description Makes one booking of all lessons of the class from `starts_on` on that the member lacks. With `on_conflict: skip`, lessons that are full, closed, do not fit, or in which the member is busy are left out. It charges nothing: pay for the booking. Needs the scope `bookings:write`.
         */
        post: operations["createEnrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/closures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List closures
         * @description The closures of the school, newest first. Needs the scope `sessions:read`.
         */
        get: operations["listClosures"];
        put?: never;
        /**
         * Close pools or instructors
         * @description From the answer on no lesson is booked, held or moved into the time, and holds in it end. With `lessons: cancel`, lessons that overlap it and have not begun are cancelled as by the school in the background, and each account gets one e-mail about all of its own; with `keep` they stay and take no new members. A dry run counts them. Only the school may. Needs the scope `sessions:write`.
         */
        post: operations["createClosure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/closures/{closure_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a closure
         * @description A closure of the school, with how far the cancellation of its lessons has come. Needs the scope `sessions:read`.
         */
        get: operations["getClosure"];
        put?: never;
        post?: never;
        /**
         * Remove a closure
         * @description Gives the time back, as far as no other closure covers it, and offers it to the waitlist. It restores no lesson. Only a closure that is `done` can be removed. Needs the scope `sessions:write`.
         */
        delete: operations["removeClosure"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/substitutions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Substitute an instructor
         * @description Another instructor of the school takes over the lessons of a time, at unchanged prices. With `on_conflict: fail` nothing changes unless all lessons fit when they are checked before the first change. Only the school may. Needs the scope `sessions:write`.
         */
        post: operations["createSubstitution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instructors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search instructors
         * @description Instructors of all schools, newest first; around a place, nearest first. All filters combine. Needs the scope `instructors:read`.
         */
        get: operations["listInstructors"];
        put?: never;
        /**
         * Create an instructor
         * @description Adds an instructor to the school. `timezone` and `currency` are those of the school unless they are sent. Needs the scope `instructors:write`.
         */
        post: operations["createInstructor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instructors/{instructor_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an instructor
         * @description An instructor with schedule, service areas, rating and newest reviews. Needs the scope `instructors:read`.
         */
        get: operations["getInstructor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an instructor
         * @description Changes the fields that are sent; of the schedule, too. With `version`, only if the instructor is still at that version. Needs the scope `instructors:write`.
         */
        patch: operations["updateInstructor"];
        trace?: never;
    };
    "/instructors/{instructor_id}/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List free times of an instructor
         * @description Slots that can be booked as they stand, by default of the next 7 days, at most of 31. Needs the scope `instructors:read`.
         */
        get: operations["getAvailability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instructors/{instructor_id}/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reviews of an instructor
         * @description Reviews, newest first, without the names of those who wrote them. Needs the scope `instructors:read`.
         */
        get: operations["listReviews"];
        put?: never;
        /**
         * Review an instructor
         * @description One review for each completed session. Needs the scope `instructors:write`.
         */
        post: operations["createReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instructors/{instructor_id}/calendar-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the calendar feed of an instructor
         * @description Makes the secret URL of the feed, and ends an earlier one. It is shown once. The key also needs `sessions:read`. Needs the scope `instructors:write`. Some of its fields need `sessions:read` too, to be read or written.
         */
        post: operations["mintInstructorCalendarToken"];
        /**
         * End the calendar feed of an instructor
         * @description Its URL is 404 from then on. Needs the scope `instructors:write`.
         */
        delete: operations["revokeInstructorCalendarToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/instructors/{instructor_id}/calendar.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the calendar of an instructor
         * @description Lessons from 90 days back to 365 days ahead as iCalendar (RFC 5545). For calendar programs: needs no API key, but the token of the feed.
         */
        get: operations["readInstructorCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{member_id}/calendar-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the calendar feed of a member
         * @description Makes the secret URL of the feed, and ends an earlier one. It is shown once. The key also needs `sessions:read`. Needs the scope `members:write`. Some of its fields need `sessions:read` too, to be read or written.
         */
        post: operations["mintMemberCalendarToken"];
        /**
         * End the calendar feed of a member
         * @description Its URL is 404 from then on. Needs the scope `members:write`.
         */
        delete: operations["revokeMemberCalendarToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{member_id}/calendar.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the calendar of a member
         * @description Lessons from 90 days back to 365 days ahead as iCalendar (RFC 5545). For calendar programs: needs no API key, but the token of the feed.
         */
        get: operations["readMemberCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List free times of many instructors
         * @description Slots of all instructors that match, soonest first; with `first_only` the first slot of each. A slot with `member_id` is the body of `POST /sessions`. Needs the scope `instructors:read`.
         */
        get: operations["listAvailability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pools
         * @description Pools of all schools, newest first. Needs the scope `instructors:read`.
         */
        get: operations["listPools"];
        put?: never;
        /**
         * Create a pool
         * @description Adds a pool to the school. With `lanes`, no more groups than lanes use it at once. Needs the scope `instructors:write`.
         */
        post: operations["createPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pools/{pool_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pool
         * @description A pool with address, place, time zone and lanes. Needs the scope `instructors:read`.
         */
        get: operations["getPool"];
        put?: never;
        post?: never;
        /**
         * Remove a pool
         * @description A pool in which sessions are still to take place cannot be removed. Needs the scope `instructors:write`.
         */
        delete: operations["removePool"];
        options?: never;
        head?: never;
        /**
         * Update a pool
         * @description Changes the fields that are sent. Needs the scope `instructors:write`.
         */
        patch: operations["updatePool"];
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the key and its account
         * @description Who the key belongs to, and what it may do. Any key may.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account
         * @description The account of the key, with its policies if it is a school. Needs the scope `accounts:read`.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        /**
         * Erase an account
         * @description A test account is erased at once. A live one is read-only for seven days, in which it can be restored; then lessons to come are cancelled, authorized payments voided, and all personal data is deleted. Needs the scope `accounts:erase`.
         */
        delete: operations["eraseAccount"];
        options?: never;
        head?: never;
        /**
         * Update an account
         * @description Changes the fields that are sent. A new `email` counts once it is confirmed; policies hold from the next request on, for bookings made from then on. Needs the scope `accounts:write`.
         */
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/accounts/{account_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export an account
         * @description All data of the account as one document, streamed. Needs the scope `accounts:read`.
         */
        get: operations["exportAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an account
         * @description Takes back the erasure of an account that is closing, until its `erases_at`. Needs the scope `accounts:erase`.
         */
        post: operations["restoreAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List e-mails
         * @description The e-mails that were sent to the account, newest first, with their state but without their text. Needs the scope `accounts:read`.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/access-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reads of personal data
         * @description Which key read which member, when, and from which network; newest first. Entries are kept for a year. Needs the scope `accounts:read`.
         */
        get: operations["listAccessLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The keys of the account, newest first, without their secrets. Needs the scope `keys:read`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The secret is shown once. A key grants no scope that the key of the request lacks. Needs the scope `keys:write`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description A key without its secret. Needs the scope `keys:read`.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an API key
         * @description Changes name, scopes or allow-list, everywhere within a second. The expiry is chosen when a key is made, and cannot be changed. Needs the scope `keys:write`.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/accounts/{account_id}/keys/{key_id}/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll an API key
         * @description Makes a key with the same rights, and ends the old one after the overlap. Needs the scope `keys:write`.
         */
        post: operations["rollKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description Ends the key everywhere within a second, for good. Needs the scope `keys:write`.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description The members that the account may read, newest first: its own, and for a school those that an active connection names. Needs the scope `members:read`. Some of its fields need `members:medical` too, to be read or written.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members of an account
         * @description The members that the account may read, newest first: its own, and for a school those that an active connection names. Needs the scope `members:read`. Some of its fields need `members:medical` too, to be read or written.
         */
        get: operations["listMembersOfAccount"];
        put?: never;
        /**
         * Create a member
         * @description Adds a swimmer to the account. Needs the scope `members:write`. Some of its fields need `members:medical` too, to be read or written.
         */
        post: operations["createMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a member
         * @description Medical notes are answered with the scope `members:medical` alone. The read is recorded in the access log. Needs the scope `members:read`.
         */
        get: operations["getMember"];
        put?: never;
        post?: never;
        /**
         * Erase a member
         * @description Deletes personal data for good, and cancels lessons to come. Past lessons stay without a name. Needs the scope `members:write`.
         */
        delete: operations["eraseMember"];
        options?: never;
        head?: never;
        /**
         * Update a member
         * @description Changes the fields that are sent. Only the account that has the member may. Needs the scope `members:write`. Some of its fields need `members:medical` too, to be read or written.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/members/{member_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of a member
         * @description Level, skills, sessions completed and attendance. Needs the scope `members:read`.
         */
        get: operations["getMemberProgress"];
        put?: never;
        /**
         * Assess a member
         * @description Records skills. When all skills of a level are mastered, the member reaches the next one. Needs the scope `members:write`.
         */
        post: operations["assessMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/families": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List families
         * @description The accounts with an active connection to the school, newest first, and what they owe it. One whose connection has ended stays as long as it owes. `due=true`, for which a key needs the scope `payments:read` too, lists only those that owe. Needs the scope `members:read`. Some of its fields need `payments:read` too, to be read or written.
         */
        get: operations["listFamilies"];
        put?: never;
        /**
         * Make a family
         * @description Makes an account for a family of the school, always a new one: the answer says nothing about its address. Until somebody of the family claims it, the school may do for it what a family may, but for API keys. Needs the scope `members:write`. Some of its fields need `members:medical` too, to be read or written.
         */
        post: operations["createFamily"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/families/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a family
         * @description A family of `GET /families`, with what it owes, when it was invited and claimed its account, and what it lets the school charge. Needs the scope `members:read`. Some of its fields need `payments:read` too, to be read or written.
         */
        get: operations["getFamily"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/families/{account_id}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a family
         * @description Mails a link to the address of a family that the school has made: who opens it sets a password, or adds the account to those of its user, and owns it from then on. A later link ends the one before. At most 20 a day, and 500 once a family has claimed its account; to one address at most 5 a day. The sandbox sends no mail: claim the account there instead. Needs the scope `members:write`.
         */
        post: operations["inviteFamily"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports
         * @description The imports of the school, newest first. Needs the scope `members:read`.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Create an import
         * @description An import of families with their members, by the school: add its rows, then run it. One that is not run within seven days is removed. At most ten are open or running: a further one takes the place of the oldest that was not run. Needs the scope `members:write`.
         */
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{import_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an import
         * @description An import of the school, and how far it has come. Needs the scope `members:read`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{import_id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add rows to an import
         * @description Appends rows to an import that is open, at most 10,000 in all. Each is one member with its family: `{external_id?, name, date_of_birth, swimming_level?, medical_notes?, emergency_contact?, family {external_id?, email, name, locale?}}`. What is wrong with a row is reported once the import runs. Medical notes need the scope `members:medical`. Needs the scope `members:write`. Some of its fields need `members:medical` too, to be read or written.
         */
        post: operations["addImportRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{import_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an import
         * @description Makes and changes the families and members of its rows in the background; a dry run counts what it would do. A member is matched by `external_id`, else by name and date of birth in its family; a family by `external_id`, else by e-mail among those that this school has made. Fields that a row leaves out stay. Claimed families stay as they are. Nobody gets an e-mail. The rows are removed once they were processed. A second call answers the same import. Needs the scope `members:write`.
         */
        post: operations["runImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connections
         * @description The connections of the account, newest first: those of a family with schools, or of a school with families. Needs the scope `members:read`.
         */
        get: operations["listConnections"];
        put?: never;
        /**
         * Connect with a school
         * @description Lets a school read and book members of the account, as a booking does. Members are added to a connection that is active; one that the account or time has ended begins anew with these members alone. Needs the scope `members:write`.
         */
        post: operations["createConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{connection_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a connection
         * @description A connection of the account, active or ended. Needs the scope `members:read`.
         */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a connection
         * @description The account changes `member_ids`: lessons to come of a member that is left out are cancelled as by the account. The school changes `external_id`, and sends `status: active` to reopen a connection that it has ended. Needs the scope `members:write`.
         */
        patch: operations["updateConnection"];
        trace?: never;
    };
    "/connections/{connection_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a connection
         * @description By the school or the account. Lessons to come are cancelled as by the side that ends it, and the school may not read the members any more; records of lessons given, and what is due, stay. Ending it twice answers the same. Needs the scope `members:write`.
         */
        post: operations["endConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bookings
         * @description The bookings that the account may see, newest first; a school sees those of its instructors. Needs the scope `bookings:read`.
         */
        get: operations["listBookings"];
        put?: never;
        /**
         * Create a booking
         * @description Books all sessions or none, for one to ten members of one account. A rejection names each date that is not free, with times nearby that are. It charges nothing: pay with `POST /payments`. Needs the scope `bookings:write`.
         */
        post: operations["createBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookings/{booking_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a booking
         * @description A booking with its sessions and its money as they are now. Needs the scope `bookings:read`.
         */
        get: operations["getBooking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a booking
         * @description Changes notes and metadata, and the payment method by which the family consents to be charged for the booking. Times change by `PATCH /sessions/{session_id}`. Needs the scope `bookings:write`.
         */
        patch: operations["updateBooking"];
        trace?: never;
    };
    "/bookings/{booking_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a booking
         * @description Cancels all future sessions of the booking. What was paid beyond fees is refunded, or becomes a makeup credit. Cancelling again answers the same. Needs the scope `bookings:write`.
         */
        post: operations["cancelBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bookings/{booking_id}/cancellation-quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Quote the cancellation of a booking
         * @description What a cancellation of all its future sessions would cost and give back now. It changes nothing. Needs the scope `bookings:read`.
         */
        get: operations["quoteBookingCancellation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/bookings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bookings of an account
         * @description The bookings that the account may see, newest first; a school sees those of its instructors. Needs the scope `bookings:read`.
         */
        get: operations["listBookingsOfAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List makeup credits
         * @description The makeup credits that the account has, or has had, newest first. Needs the scope `payments:read`.
         */
        get: operations["listCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/{credit_id}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List lessons for a makeup credit
         * @description Lessons of the school of the credit, in its currency, that begin before it expires and in which the member could book a place: free, fitting, and while the member has nothing else. By date, earliest first; none once nothing is left of the credit. Needs the scope `bookings:read`.
         */
        get: operations["listCreditOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the statement of a month
         * @description What a school earned and gave in a month of its time zone, by day. `Accept: text/csv` gets it as CSV. Needs the scope `payments:read`.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List enrollments
         * @description The enrollments of the account, or in the classes of the school, newest first. Needs the scope `bookings:read`.
         */
        get: operations["listEnrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{enrollment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an enrollment
         * @description An enrollment of the account, or in a class of the school. Needs the scope `bookings:read`.
         */
        get: operations["getEnrollment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{enrollment_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an enrollment
         * @description Cancels its sessions after a date, under the policies with which it was booked. It ends once that date is over. The same again changes nothing. Needs the scope `bookings:write`.
         */
        post: operations["endEnrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List holds
         * @description The holds of the account, newest first. Needs the scope `bookings:read`.
         */
        get: operations["listHolds"];
        put?: never;
        /**
         * Hold times
         * @description Reserves times, or places in lessons, for some minutes, so that nobody else books them. Book them with `hold_id`. Needs the scope `bookings:write`.
         */
        post: operations["createHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/holds/{hold_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a hold
         * @description A hold, also after it has expired or was booked. Needs the scope `bookings:read`.
         */
        get: operations["getHold"];
        put?: never;
        post?: never;
        /**
         * Release a hold
         * @description Frees the times of the hold at once. Needs the scope `bookings:write`.
         */
        delete: operations["removeHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/waitlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List waitlist entries
         * @description The entries that the account may see, newest first. Needs the scope `bookings:read`.
         */
        get: operations["listWaitlist"];
        put?: never;
        /**
         * Join the waitlist
         * @description What becomes free is offered to the first in line whom it fits, as a hold of 30 minutes: time of the instructor, or, with `lesson_id`, a place in the lesson, at once where there is one. Book it with `hold_id`. With `class_id` a place in all lessons to come of the class is offered together: enroll with `hold_id`. Needs the scope `bookings:write`.
         */
        post: operations["joinWaitlist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/waitlist/{waitlist_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a waitlist entry
         * @description An entry, with its hold while time is offered. Needs the scope `bookings:read`.
         */
        get: operations["getWaitlistEntry"];
        put?: never;
        post?: never;
        /**
         * Leave the waitlist
         * @description Removes the entry, and releases what is offered to it. Needs the scope `bookings:write`.
         */
        delete: operations["leaveWaitlist"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment methods
         * @description The payment methods of the account, newest first. Needs the scope `payments:read`.
         */
        get: operations["listPaymentMethods"];
        put?: never;
        /**
         * Add a payment method
         * @description Stores a token of the payment processor; never send a card number. The first one becomes the default. Needs the scope `payments:write`.
         */
        post: operations["addPaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/payment-methods/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up a payment method
         * @description Answers the secret with which Stripe.js (`confirmSetup`) takes a card of the account and has its bank check it, so that it can be charged later without its owner. Then add the id of the payment method that Stripe.js answers. In the sandbox `client_secret` is null: add a test card. Needs the scope `payments:write`.
         */
        post: operations["setUpPaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/payment-methods/{payment_method_id}": {
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
         * Remove a payment method of an account
         * @description Of those that are left the newest becomes the default, if this was it. Needs the scope `payments:write`.
         */
        delete: operations["removePaymentMethodOfAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-methods/{payment_method_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment method
         * @description Brand, last four digits and expiry of a card. Needs the scope `payments:read`.
         */
        get: operations["getPaymentMethod"];
        put?: never;
        post?: never;
        /**
         * Remove a payment method
         * @description Of those that are left the newest becomes the default, if this was it. Needs the scope `payments:write`.
         */
        delete: operations["removePaymentMethod"];
        options?: never;
        head?: never;
        /**
         * Update a payment method
         * @description Makes it the default, and the earlier default an ordinary one, at once. Needs the scope `payments:write`.
         */
        patch: operations["updatePaymentMethod"];
        trace?: never;
    };
    "/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments
         * @description The payments that the account may see, newest first: those that it made, and for a school those for its lessons. Needs the scope `payments:read`.
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Pay for a booking
         * @description Charges a payment method, or with `capture: false` authorizes the amount. A decline is 402 with the failed payment. With `method` the school records money that it got elsewhere; with neither it charges the method of the booking, by the family’s consent. Send an `Idempotency-Key`. Needs the scope `payments:write`.
         */
        post: operations["createPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment
         * @description A payment as it is now; one that is `pending` is settled within a minute. Needs the scope `payments:read`.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a payment
         * @description Changes its metadata. Needs the scope `payments:write`.
         */
        patch: operations["updatePayment"];
        trace?: never;
    };
    "/payments/{payment_id}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Capture a payment
         * @description Charges an authorized payment. Only the school may. Needs the scope `payments:write`.
         */
        post: operations["capturePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment_id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a payment
         * @description Releases an authorized payment without a charge. Only the school may. Needs the scope `payments:write`.
         */
        post: operations["voidPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/{payment_id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds of a payment
         * @description Refunds of the payment, newest first, automatic ones included. Needs the scope `payments:read`.
         */
        get: operations["listRefunds"];
        put?: never;
        /**
         * Refund a payment
         * @description Gives back an amount, or without one all that is left. Of a recorded payment it records that the school gave it back. Only the school may. Needs the scope `payments:write`.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments of an account
         * @description The payments that the account may see, newest first: those that it made, and for a school those for its lessons. Needs the scope `payments:read`.
         */
        get: operations["listPaymentsOfAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Events of the last 90 days: newest first, or ascending from `after_sequence`. Needs the scope `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream events
         * @description Sends events as they happen, and resumes after `Last-Event-ID`. Needs the scope `events:read`.
         */
        get: operations["openEventStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description One event, as it was listed and delivered. Needs the scope `events:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests
         * @description Requests of the account’s keys and of its users in the dashboard, newest first, for seven days; without bodies and headers. An entry is listed a few seconds after its answer. Needs the scope `keys:read`.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/requests/{request_log_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a request
         * @description One entry of the request log. `GET /events?request_id=` lists the events that it caused. Needs the scope `keys:read`.
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage
         * @description How many requests the account’s API keys made in each clock hour (UTC) of the environment, against the limits: by default in the last 24 hours, at most in the last seven days. The range is widened to whole hours. A request is counted a few seconds after its answer, in the hour in which it arrived; users of the dashboard have a limit of their own, and are not counted. Needs the scope `keys:read`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description The webhook endpoints of the account, newest first, without their secrets. Needs the scope `webhooks:read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events are delivered to its URL, signed as Standard Webhooks 1.0 define. The secret is shown once. Needs the scopes `webhooks:write` and `events:read`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{webhook_endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description A webhook endpoint without its secret. Needs the scope `webhooks:read`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook endpoint
         * @description Ends deliveries to it. Needs the scope `webhooks:write`.
         */
        delete: operations["removeWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Update a webhook endpoint
         * @description Changes the fields that are sent. `enabled: true` enables one that the service disabled. Needs the scopes `webhooks:write` and `events:read`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhook-endpoints/{webhook_endpoint_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook endpoint
         * @description The old secret signs beside the new one for 24 hours. The new one is shown once. Needs the scopes `webhooks:write` and `events:read`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{webhook_endpoint_id}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Delivers an event `ping` to the endpoint; it is in no list of events. Needs the scopes `webhooks:write` and `events:read`.
         */
        post: operations["pingWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{webhook_endpoint_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay events
         * @description Delivers the events after a sequence again, in their order. Needs the scopes `webhooks:write` and `events:read`.
         */
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{webhook_endpoint_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of a webhook endpoint
         * @description Deliveries, newest first, with each attempt and the response to it. Needs the scopes `webhooks:read` and `events:read`.
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
    "/webhook-endpoints/{webhook_endpoint_id}/deliveries/{webhook_delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description A delivery with each attempt and the response to it. Needs the scopes `webhooks:read` and `events:read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{webhook_endpoint_id}/deliveries/{webhook_delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery
         * @description Sends it again at once. Needs the scopes `webhooks:write` and `events:read`.
         */
        post: operations["retryWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's clock
         * @description The time of the test account, and whether it is being advanced. Needs the scope `accounts:write`.
         */
        get: operations["getSandboxClock"];
        put?: never;
        /**
         * Advance the account's clock
         * @description Moves the clock of the test account forward, by at most 365 days. What falls due until then happens before the answer. Needs the scope `accounts:write`.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the account
         * @description Removes all that the test account owns, makes its demo data anew and sets its clock back to real time. API keys stay, sequences of events go on, and other accounts see shared lessons to come as cancelled. Objects made while it runs may be removed too. Needs the scope `accounts:write`.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payments/{payment_id}/authenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authenticate a payment in the sandbox
         * @description Ends the 3-D Secure of a payment that is `pending` with a `next_action`, as its cardholder would at the bank: it succeeds, or fails. In live the processor’s own library does this with the `client_secret`. Needs the scope `payments:write`.
         */
        post: operations["authenticateSandboxPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/families/{account_id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a family in the sandbox
         * @description Claims the account of a family that the school has made, as its owner would by the link of a mail: from then on the school has the rights of a connection. Answers a key of the family, once. Needs the scope `members:write`.
         */
        post: operations["claimSandboxFamily"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a webhook of Stripe
         * @description For Stripe alone: it needs no API key, but the signature by the secret of the webhook.
         */
        post: operations["receiveStripeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the service
         * @description Whether requests can be served, as each service has found it within the last second. Any client may.
         */
        get: operations["health"];
        put?: never;
        post?: never;
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
        /**
         * Get this document
         * @description The OpenAPI document of the API. Any client may.
         */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi-3.0.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document in OpenAPI 3.0
         * @description The same in OpenAPI 3.0.3, without webhooks, for generators that do not read 3.1. Any client may.
         */
        get: operations["openapi30"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "session.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A session was scheduled, by itself or as part of a booking. */
        post: operations["receiveSessionCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Something other than time and instructor of a session changed. */
        post: operations["receiveSessionUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.rescheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A session has another time or another instructor. */
        post: operations["receiveSessionRescheduled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A session was cancelled. */
        post: operations["receiveSessionCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A session is over. */
        post: operations["receiveSessionCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.attendance_recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The school recorded who attended a session. */
        post: operations["receiveSessionAttendanceRecorded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.reminder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A session begins within 24 hours, or within 2 hours. */
        post: operations["receiveSessionReminder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lesson.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The school added a lesson with places. */
        post: operations["receiveLessonCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lesson.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The school changed what is said about a lesson, or its number of places. */
        post: operations["receiveLessonUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lesson.rescheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The school moved a lesson to another time or instructor. */
        post: operations["receiveLessonRescheduled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lesson.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The school cancelled a lesson, and with it each of its sessions. */
        post: operations["receiveLessonCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lesson.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A lesson was given: it ended 15 minutes ago. */
        post: operations["receiveLessonCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "class.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The school added a class, as a draft. */
        post: operations["receiveClassCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "class.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The school changed a class. */
        post: operations["receiveClassUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "class.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The school opened a class: its lessons are made. */
        post: operations["receiveClassOpened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "class.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The school closed a class: it takes no more enrollments. */
        post: operations["receiveClassClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "closure.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The school closed time of pools or instructors. */
        post: operations["receiveClosureCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "closure.done": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The lessons in closed time are cancelled, or stay. */
        post: operations["receiveClosureDone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "closure.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The school removed a closure: its time can be booked again. */
        post: operations["receiveClosureRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A booking was made. */
        post: operations["receiveBookingCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A booking is confirmed: at once, or when its prepayment is there. */
        post: operations["receiveBookingConfirmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** All sessions of a booking are cancelled. */
        post: operations["receiveBookingCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** All sessions of a booking are over; some may be cancelled. */
        post: operations["receiveBookingCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "booking.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A booking ended because its prepayment did not come in time. */
        post: operations["receiveBookingExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "enrollment.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A member was enrolled in a class, also one that awaits its prepayment. */
        post: operations["receiveEnrollmentCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "enrollment.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An enrollment is over: by its end, or with its booking. */
        post: operations["receiveEnrollmentEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.authorized": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The amount of a payment is reserved on the card. */
        post: operations["receivePaymentAuthorized"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment was charged. */
        post: operations["receivePaymentSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment failed. */
        post: operations["receivePaymentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A part of a payment, or all of it, was refunded. */
        post: operations["receivePaymentRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.disputed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The owner of the card disputes a payment. */
        post: operations["receivePaymentDisputed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.dispute_closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A dispute of a payment was won or lost. */
        post: operations["receivePaymentDisputeClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An authorised payment was released without a charge. */
        post: operations["receivePaymentVoided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_method.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment method was added to the account. */
        post: operations["receivePaymentMethodAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_method.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment method was removed from the account. */
        post: operations["receivePaymentMethodRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A member was added to the account. */
        post: operations["receiveMemberCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Something about a member changed. */
        post: operations["receiveMemberUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.progress_updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A school assessed skills of a member. */
        post: operations["receiveMemberProgressUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.level_advanced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A member has mastered a level and reached the next one. */
        post: operations["receiveMemberLevelAdvanced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The personal data of a member were erased. */
        post: operations["receiveMemberErased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A school may read and book members of an account. */
        post: operations["receiveConnectionCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A school may not read the members of an account any more. */
        post: operations["receiveConnectionEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "instructor.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A school added an instructor. */
        post: operations["receiveInstructorCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "instructor.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Profile, hours or rates of an instructor changed. */
        post: operations["receiveInstructorUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "review.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A completed session was reviewed. */
        post: operations["receiveReviewCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "waitlist.joined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A member waits for a free time. */
        post: operations["receiveWaitlistJoined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "waitlist.offered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A time has become free and is held for a waiting member. */
        post: operations["receiveWaitlistOffered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "waitlist.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The time that was offered to a waiting member is booked. */
        post: operations["receiveWaitlistAccepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "waitlist.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An entry of the waitlist ended without a booking. */
        post: operations["receiveWaitlistExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A webhook endpoint was disabled: it answered 410, or failed for five days in a row. */
        post: operations["receiveWebhookEndpointDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A webhook endpoint is tested. It is delivered, not listed, and has no `sequence`. */
        post: operations["receivePing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AccessEntry: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "access_log_entry";
            /** @description Identifier */
            id: components["schemas"]["id_alog"];
            /** @description What was done: read, assess or another action */
            action: components["schemas"]["AccessAction"];
            /** @description Whose data were answered; of a list, those of its page */
            member_ids: components["schemas"]["id_mem"][];
            /** @description Whether medical notes were among what was answered */
            medical_notes: boolean;
            /** @description The account of the key: a school, or the account itself */
            account_id: components["schemas"]["id_acct"];
            /** @description The API key that was used */
            key_id: components["schemas"]["id_key"];
            /** @description Where the request came from: the /24 of an IPv4 address, the /64 of an IPv6 address */
            network: string | null;
            /** @description Identifier of the request, as in `X-Request-Id` */
            request_id: string;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
        };
        Account: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "account";
            /** @description Identifier */
            id: components["schemas"]["id_acct"];
            /** @description Name */
            name: string;
            /** @description E-mail address */
            email: components["schemas"]["EmailAddress"];
            /**
             * Format: email
             * @description E-mail address that is not confirmed yet; null for none
             * @example mia@example.com
             */
            pending_email: string | null;
            /**
             * @description Kind of account, which decides what it owns
             * @enum {string}
             */
            kind: "family" | "school";
            /** @description IANA time zone */
            timezone: string;
            /** @description Language of e-mails */
            locale: components["schemas"]["Language"];
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description Rules of a school for all who book with it; null for other accounts */
            policies: components["schemas"]["Policies"] | null;
            /**
             * @description Data of the client's own, as the client has set it
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
        };
        /** @description An event. Its `type` says which members `data.object` has. */
        AccountEvent: components["schemas"]["SessionCreatedEvent"] | components["schemas"]["SessionUpdatedEvent"] | components["schemas"]["SessionRescheduledEvent"] | components["schemas"]["SessionCancelledEvent"] | components["schemas"]["SessionCompletedEvent"] | components["schemas"]["SessionAttendanceRecordedEvent"] | components["schemas"]["SessionReminderEvent"] | components["schemas"]["LessonCreatedEvent"] | components["schemas"]["LessonUpdatedEvent"] | components["schemas"]["LessonRescheduledEvent"] | components["schemas"]["LessonCancelledEvent"] | components["schemas"]["LessonCompletedEvent"] | components["schemas"]["ClassCreatedEvent"] | components["schemas"]["ClassUpdatedEvent"] | components["schemas"]["ClassOpenedEvent"] | components["schemas"]["ClassClosedEvent"] | components["schemas"]["ClosureCreatedEvent"] | components["schemas"]["ClosureDoneEvent"] | components["schemas"]["ClosureRemovedEvent"] | components["schemas"]["BookingCreatedEvent"] | components["schemas"]["BookingConfirmedEvent"] | components["schemas"]["BookingCancelledEvent"] | components["schemas"]["BookingCompletedEvent"] | components["schemas"]["BookingExpiredEvent"] | components["schemas"]["EnrollmentCreatedEvent"] | components["schemas"]["EnrollmentEndedEvent"] | components["schemas"]["PaymentAuthorizedEvent"] | components["schemas"]["PaymentSucceededEvent"] | components["schemas"]["PaymentFailedEvent"] | components["schemas"]["PaymentRefundedEvent"] | components["schemas"]["PaymentDisputedEvent"] | components["schemas"]["PaymentDisputeClosedEvent"] | components["schemas"]["PaymentVoidedEvent"] | components["schemas"]["PaymentMethodAddedEvent"] | components["schemas"]["PaymentMethodRemovedEvent"] | components["schemas"]["MemberCreatedEvent"] | components["schemas"]["MemberUpdatedEvent"] | components["schemas"]["MemberProgressUpdatedEvent"] | components["schemas"]["MemberLevelAdvancedEvent"] | components["schemas"]["MemberErasedEvent"] | components["schemas"]["ConnectionCreatedEvent"] | components["schemas"]["ConnectionEndedEvent"] | components["schemas"]["InstructorCreatedEvent"] | components["schemas"]["InstructorUpdatedEvent"] | components["schemas"]["ReviewCreatedEvent"] | components["schemas"]["WaitlistJoinedEvent"] | components["schemas"]["WaitlistOfferedEvent"] | components["schemas"]["WaitlistAcceptedEvent"] | components["schemas"]["WaitlistExpiredEvent"] | components["schemas"]["WebhookEndpointDisabledEvent"];
        ActivityEntry: {
            /** @description Identifier */
            id: components["schemas"]["id_act"];
            /** @description When it was done */
            at: components["schemas"]["Timestamp"];
            /** @description The user who did it */
            user_id: components["schemas"]["id_usr"];
            /** @description Name of the user; null once the user is removed */
            user_name: string | null;
            /** @description What was done: `signed_in`, or method and pattern of a request as `POST /v1/bookings` */
            action: string;
            /** @description Id of what it was done to; null where that is the user */
            object: string | null;
            /** @description Network of the user: a /24 or /64 */
            address_network: string | null;
            /** @description Where it was done; null for what belongs to neither */
            environment: ("live" | "sandbox") | null;
        };
        ApiKey: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "api_key";
            /** @description Identifier */
            id: components["schemas"]["id_key"];
            /** @description Name */
            name: string;
            /** @description What the key may read and write */
            scopes: components["schemas"]["Scope"][];
            /** @description Addresses and networks (CIDR) from which the key is accepted; empty for all */
            ip_allowlist: string[];
            /** @description Last four characters */
            last4: string;
            /** @description State of the object */
            status: components["schemas"]["KeyStatus"];
            /**
             * Format: date-time
             * @description When it ends; null for never
             * @example 2027-03-01T16:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used; null for never
             * @example 2027-03-01T16:00:00.000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null for never
             * @example 2027-03-01T16:00:00.000Z
             */
            revoked_at: string | null;
            /** @description The key that replaced it; null for none */
            replaced_by: string | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was made, changed, rolled or revoked last; using it is no change */
            updated_at: components["schemas"]["Timestamp"];
        };
        AvailabilitySchedule: {
            /** @description Windows of each week */
            weekly: components["schemas"]["WeeklyWindow"][];
            /** @description Dates on which other hours hold than in the week */
            overrides: components["schemas"]["ScheduleOverride"][];
            /** @description Minutes that stay free before each session */
            buffer_before_minutes: number;
            /** @description Minutes that stay free after each session */
            buffer_after_minutes: number;
            /** @description How many minutes before its start a session may be booked at the latest */
            minimum_notice_minutes: number;
            /** @description How many days ahead a session may be booked at most */
            maximum_days_ahead: number;
            /** @description Minutes from the start of a slot to that of the next */
            slot_interval_minutes: number;
        };
        Booking: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "booking";
            /** @description Identifier */
            id: components["schemas"]["id_bkg"];
            /** @description The account of the members, regardless of who made the booking */
            account_id: components["schemas"]["id_acct"];
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description The members who take the lessons, each once */
            member_ids: components["schemas"]["id_mem"][];
            /** @description The sessions in order of date */
            session_ids: components["schemas"]["id_ses"][];
            /** @description The sessions */
            sessions: {
                /** @description Identifier */
                id: components["schemas"]["id_ses"];
                /** @description The lesson that it is a place in */
                lesson_id: components["schemas"]["id_lsn"];
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
                /** @description The member who takes the lesson */
                member_id: components["schemas"]["id_mem"];
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
                /** @description End, an instant */
                end_date: components["schemas"]["Timestamp"];
                /** @description Length in minutes */
                duration_minutes: number;
                /** @description State of the object */
                status: components["schemas"]["SessionStatus"];
                /** @description Grows with each change; send it with PATCH to exclude lost updates */
                version: number;
            }[];
            /** @description The payment method */
            payment_method_id: string | null;
            /** @description The makeup credit that pays for it; null for none */
            makeup_credit_id: string | null;
            /** @description Free text */
            notes: string | null;
            /**
             * @description Data of the client's own, as the client has set it
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description State of the object */
            status: components["schemas"]["BookingStatus"];
            /** @description What of the amount is paid */
            payment_status: components["schemas"]["PaymentStatus"];
            /** @description Price of the sessions that are not cancelled plus the fees kept, in minor units */
            amount_cents: number;
            /** @description Money that was charged less what was refunded, in minor units; `amount_credited_cents` is not part of it */
            amount_paid_cents: number;
            /** @description What a makeup credit has paid, in minor units */
            amount_credited_cents: number;
            /** @description What is left to pay, in minor units; never below 0 */
            amount_due_cents: number;
            /** @description What the school has to return of payments that it recorded, in minor units */
            amount_to_return_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description Dates that were not free, and left out */
            skipped?: {
                /** @description The lesson that it is a place in */
                lesson_id?: components["schemas"]["id_lsn"];
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
                /** @description Why the date was not free */
                reason: string;
            }[];
            /**
             * Format: date-time
             * @description When an unpaid booking expires; null unless it awaits prepayment, and once only lessons that have begun are left
             * @example 2027-03-01T16:00:00.000Z
             */
            expires_at: string | null;
            /** @description Grows with each change */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        CancellationQuote: {
            /** @description The session */
            session_id: components["schemas"]["id_ses"];
            /** @description Whether the free cancellation is over */
            late: boolean;
            /** @description Until when a cancellation has no fee */
            free_until: components["schemas"]["Timestamp"];
            /** @description Fee that is kept, in minor units */
            fee_cents: number;
            /** @description What is given back, in minor units */
            refund_cents: number;
            /** @description What goes back to the makeup credit, in minor units */
            credit_returned_cents: number;
            /** @description Whether a makeup credit is, or can be, given instead of a refund */
            makeup_credit: boolean;
            /** @description ISO 4217 code in upper case */
            currency: string;
        };
        Connection: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "connection";
            /** @description Identifier */
            id: components["schemas"]["id_con"];
            /** @description The school */
            school_id: components["schemas"]["id_acct"];
            /** @description The account of the members */
            account_id: components["schemas"]["id_acct"];
            /** @description The members whom the school may read and book while it is active */
            member_ids: components["schemas"]["id_mem"][];
            /** @description State of the object */
            status: components["schemas"]["ConnectionStatus"];
            /** @description By what it was made */
            origin: components["schemas"]["ConnectionOrigin"];
            /** @description Id of the school for the account */
            external_id: string | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When it ended; null while it is active
             * @example 2027-03-01T16:00:00.000Z
             */
            ended_at: string | null;
            /** @description Who ended it; `time`: nothing of the account for 365 days. Null while it is active */
            ended_by: components["schemas"]["ConnectionSide"] | null;
        };
        Credit: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "makeup_credit";
            /** @description Identifier */
            id: components["schemas"]["id_crd"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The member who takes the lesson */
            member_id: components["schemas"]["id_mem"];
            /** @description The school whose sessions it pays */
            school_id: components["schemas"]["id_acct"];
            /** @description The session */
            session_id: components["schemas"]["id_ses"];
            /** @description What is left of it, in minor units */
            amount_cents: number;
            /** @description What it was given for, in minor units */
            issued_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description State of the object */
            status: components["schemas"]["CreditStatus"];
            /** @description The booking that spent it; null while it is available */
            booking_id: string | null;
            /** @description When it ends */
            expires_at: components["schemas"]["Timestamp"];
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        DashboardUser: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "user";
            /** @description Identifier */
            id: components["schemas"]["id_usr"];
            /** @description Name of the user */
            name: string;
            /** @description Address by which the user signs in */
            email: components["schemas"]["EmailAddress"];
            /** @description What the user may do in the dashboard */
            role: components["schemas"]["Role"];
            /** @description The instructor that a user of the role `instructor` is; null for any other role */
            instructor_id: string | null;
            /** @description Language of e-mails */
            locale: components["schemas"]["Language"];
            /** @description Whether a sign-in needs a second factor */
            second_factor: boolean;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
        };
        DataImport: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "import";
            /** @description Identifier */
            id: components["schemas"]["id_imp"];
            /** @description Kind of account, which decides what it owns */
            kind: components["schemas"]["ImportKind"];
            /** @description `open` takes rows; `running` and `done` take no more */
            status: components["schemas"]["ImportStatus"];
            /** @description How many rows it has */
            rows: number;
            /** @description Rows of which the member was made, with a family where there was none */
            created: number;
            /** @description Rows that changed a member or its family */
            updated: number;
            /** @description Rows that changed nothing */
            unchanged: number;
            /** @description Rows that were left out */
            failed: number;
            /** @description What is wrong with the rows that failed: the first 750 kB, and in a list or an export the first 100 errors of each import. `failed` counts all of these rows */
            errors: {
                /** @description The row: the first one is 0 */
                row: number;
                /** @description The field of the row, such as `family.email` */
                field: string;
                /** @description As in errors of requests; or `ambiguous`: several match; `contradictory`: an earlier row of the import says otherwise about the same family or member; `claimed`: the family is claimed, so that only itself adds members */
                reason: string;
            }[];
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        DateConflict: {
            /** @description Position in `sessions`, from 0 */
            index: number;
            /** @description Start, an instant */
            date: components["schemas"]["Timestamp"];
            /** @description The member who is busy then; absent when the instructor is */
            member_id?: components["schemas"]["id_mem"];
            /** @description `hours`: outside the published hours. `notice`: too soon. `days_ahead`: too far in the future */
            rule?: components["schemas"]["AvailabilityRule"];
            /** @description The first instant at which it could be booked: with `notice` the earliest start that can be booked now, with `days_ahead` when this time can be booked */
            opens_at?: components["schemas"]["Timestamp"];
            /** @description Why the school has closed this time */
            closure_reason?: string;
            /** @description The first instant that no closure covers */
            closed_until?: components["schemas"]["Timestamp"];
            /**
             * @description Why the date is not free
             * @enum {string}
             */
            reason: "instructor_busy" | "member_busy" | "outside_availability" | "pool_full" | "lesson_full" | "not_eligible" | "closed";
            /** @description Up to three times nearby that are free, each of which can be booked as it stands */
            suggestions: components["schemas"]["Suggestion"][];
        };
        EmergencyContact: {
            /** @description Name */
            name: string;
            /** @description Phone number in E.164 */
            phone: string;
            /** @description Relation to the member */
            relationship: string;
        };
        EndedSubscription: {
            /** @description Kind of e-mail */
            kind: components["schemas"]["MessageKind"];
            /** @description Identifies the address without revealing it: 22 characters of the SHA-256 of account and address */
            address_hash: string;
        };
        Enrollment: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "enrollment";
            /** @description Identifier */
            id: components["schemas"]["id_enr"];
            /** @description The class that it belongs to */
            class_id: components["schemas"]["id_cls"];
            /** @description The member who takes the lesson */
            member_id: components["schemas"]["id_mem"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description `pending` until a required prepayment; `ended` with its last date or its booking */
            status: components["schemas"]["EnrollmentStatus"];
            /** @description The first date of its lessons, in the zone of the class */
            starts_on: components["schemas"]["CalendarDate"];
            /**
             * Format: date
             * @description The last date of its lessons; null where it has no end
             * @example 2027-03-01
             */
            ends_on: string | null;
            /** @description The booking to which it belongs */
            booking_id: components["schemas"]["id_bkg"];
            /** @description The lessons that were left out, and why */
            skipped: {
                /** @description The lesson that it is a place in */
                lesson_id: components["schemas"]["id_lsn"];
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
                /** @description Why the date was not free */
                reason: string;
            }[];
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        EventRequest: {
            /** @description The request that caused the event */
            id: string;
            /** @description The `Idempotency-Key` of the request; null without one */
            idempotency_key: string | null;
        };
        Hold: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "hold";
            /** @description Identifier */
            id: components["schemas"]["id_hold"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description The members who take the lessons, each once */
            member_ids: components["schemas"]["id_mem"][];
            /** @description The lessons in which it has a place for each member; null when it holds times */
            lesson_ids: components["schemas"]["id_lsn"][] | null;
            /** @description The sessions */
            sessions: {
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
                /** @description End, an instant */
                end_date: components["schemas"]["Timestamp"];
                /** @description Length in minutes */
                duration_minutes: number;
            }[];
            /** @description Where the session takes place; the first pool of the instructor by default */
            location: {
                /** @description Kind of place */
                type: string;
                /** @description The pool; required when `type` is `pool` */
                pool_id: string | null;
            } | null;
            /** @description State of the object */
            status: components["schemas"]["HoldStatus"];
            /** @description The booking to which it belongs; null for none */
            booking_id: string | null;
            /** @description The waitlist entry; null for none */
            waitlist_id: string | null;
            /** @description When it ends */
            expires_at: components["schemas"]["Timestamp"];
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        Instructor: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "instructor";
            /** @description Identifier */
            id: components["schemas"]["id_ins"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description Name */
            name: string;
            /** @description E-mail address */
            email: components["schemas"]["EmailAddress"];
            /** @description Phone number in E.164 */
            phone: string | null;
            /** @description Introduction of the instructor */
            bio: string | null;
            /** @description Address of a photo; null for none */
            photo_url: string | null;
            /** @description IANA time zone */
            timezone: string;
            /** @description Certificates of the instructor; expired ones never match a search */
            certifications: {
                /** @description Name of the certificate */
                type: string;
                /** @description Organization that issued the certificate */
                issuer: string | null;
                /**
                 * Format: date
                 * @description Date of issue, YYYY-MM-DD
                 * @example 2027-03-01
                 */
                issued_at: string | null;
                /**
                 * Format: date
                 * @description Last date of validity; null for ever
                 * @example 2027-03-01
                 */
                expires_at: string | null;
                /** @description Whether the operator has seen the certificate */
                verified: boolean;
            }[];
            /** @description The published hours, as local wall-clock rules in the zone of the instructor */
            availability_schedule: components["schemas"]["AvailabilitySchedule"];
            /** @description Where the instructor teaches */
            service_areas: {
                /** @description Name */
                name: string;
                /** @description Degrees north */
                latitude: number;
                /** @description Degrees east */
                longitude: number;
                /** @description How far from the centre lessons are given, in kilometres; a search finds no place beyond */
                radius_km: number;
                /** @description Pools in which the instructor teaches there */
                pool_ids: components["schemas"]["id_pool"][];
            }[];
            /** @description What the reviews say together */
            rating: {
                /** @description Average stars; null without reviews */
                average: number | null;
                /** @description Number of reviews */
                count: number;
            };
            /** @description The newest reviews; only with `expand=reviews` in lists */
            reviews: {
                /**
                 * @description The kind of object
                 * @constant
                 */
                object: "review";
                /** @description Identifier */
                id: components["schemas"]["id_rev"];
                /** @description From 1 to 5 */
                stars: number;
                /** @description Text of the review; null for none */
                comment: string | null;
                /** @description When it was made */
                created_at: components["schemas"]["Timestamp"];
            }[];
            /** @description Price of an hour for each member, in minor units */
            hourly_rate_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description Most members of one session */
            max_group_size: number;
            /** @description Levels that the instructor teaches */
            levels_taught: components["schemas"]["SwimmingLevel"][];
            /** @description Languages of lessons, as BCP 47 tags */
            languages: string[];
            /** @description State of the object */
            status: components["schemas"]["InstructorStatus"];
            /**
             * @description Data of the client's own, as the client has set it
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
            /** @description Distance to the nearest centre of a service area in which the place lies; only in a search by place */
            distance_km?: number;
        };
        Invitation: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "invitation";
            /** @description Identifier */
            id: components["schemas"]["id_inv"];
            /** @description Address that the invitation was sent to */
            email: components["schemas"]["EmailAddress"];
            /** @description What the user will be allowed to do in the dashboard */
            role: components["schemas"]["Role"];
            /** @description The instructor that a user of the role `instructor` is; null for any other role */
            instructor_id: string | null;
            /** @description The user who sent it */
            invited_by: string;
            /** @description When its link ends */
            expires_at: components["schemas"]["Timestamp"];
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
        };
        Lesson: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "lesson";
            /** @description Identifier */
            id: components["schemas"]["id_lsn"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The class that it belongs to; null for none */
            class_id: string | null;
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description Where the session takes place; the first pool of the instructor by default */
            location: {
                /** @description Kind of place */
                type: string;
                /** @description The pool; required when `type` is `pool` */
                pool_id: string | null;
            } | null;
            /** @description Start, an instant */
            date: components["schemas"]["Timestamp"];
            /** @description End, an instant */
            end_date: components["schemas"]["Timestamp"];
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description How many places it has */
            capacity: number;
            /** @description How many places are free: neither booked, nor held or offered */
            places_left: number;
            /** @description Whether every account sees it, and families can book its places */
            bookable: boolean;
            /** @description Levels for which it is; empty for all */
            levels: components["schemas"]["SwimmingLevel"][];
            /** @description Youngest age on the date of the lesson; null for no limit */
            min_age_years: number | null;
            /** @description Oldest age on the date of the lesson; null for no limit */
            max_age_years: number | null;
            /** @description Price in minor units; 0 outside a booking */
            price_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description State of the object */
            status: components["schemas"]["SessionStatus"];
            /** @description The sessions */
            sessions: {
                /** @description Identifier */
                id: components["schemas"]["id_ses"];
                /** @description The member who takes the lesson */
                member_id: components["schemas"]["id_mem"];
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
                /** @description State of the object */
                status: components["schemas"]["SessionStatus"];
                /** @description Whether the member came; final once money followed from it */
                attendance: components["schemas"]["Attendance"];
            }[];
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        LessonConflict: {
            /** @description Position in `sessions`, from 0 */
            index: number;
            /** @description The lesson that it is a place in */
            lesson_id: components["schemas"]["id_lsn"];
            /** @description The member who takes the lesson */
            member_id?: components["schemas"]["id_mem"];
            /**
             * @description Why the lesson cannot be booked
             * @enum {string}
             */
            reason: "instructor_busy" | "member_busy" | "outside_availability" | "pool_full" | "lesson_full" | "not_eligible" | "closed";
        };
        Member: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "member";
            /** @description Identifier */
            id: components["schemas"]["id_mem"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description Name */
            name: string;
            /** @description Date of birth, YYYY-MM-DD */
            date_of_birth: components["schemas"]["CalendarDate"];
            /** @description Level of the member, of the six of the American Red Cross */
            swimming_level: components["schemas"]["SwimmingLevel"];
            /** @description Null to a key without the scope `members:medical` */
            medical_notes: string | null;
            /** @description Who is called in an emergency; encrypted at rest, in no event */
            emergency_contact: components["schemas"]["EmergencyContact"] | null;
            /**
             * @description Of the client's own account; empty to a school that may read the member
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        Message: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "message";
            /** @description Identifier */
            id: components["schemas"]["id_msg"];
            /** @description Kind of e-mail */
            kind: components["schemas"]["MessageKind"];
            /** @description The instructor to whom it is addressed; null for the account itself */
            instructor_id: string | null;
            /** @description State of the object */
            status: components["schemas"]["MessageStatus"];
            /** @description Why it was not sent; null while it may be, and once it is */
            reason: components["schemas"]["MessageReason"] | null;
            /**
             * @description The address, masked; null until it was tried
             * @example f•••@example.com
             */
            recipient: string | null;
            /** @description The events that it is about: those of one request share a message */
            event_ids: components["schemas"]["id_evt"][];
            /** @description The tries so far */
            attempts: number;
            /**
             * @description SMTP reply code of the latest try, with its enhanced code
             * @example 550 5.1.1
             */
            last_response: string | null;
            /**
             * Format: date-time
             * @description When it is tried again; null for not at all
             * @example 2027-03-01T16:00:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the mail server accepted it; null before
             * @example 2027-03-01T16:00:00.000Z
             */
            sent_at: string | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        Payment: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "payment";
            /** @description Identifier */
            id: components["schemas"]["id_pay"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The booking to which it belongs */
            booking_id: components["schemas"]["id_bkg"];
            /** @description The payment method; null for money that the school recorded */
            payment_method_id: string | null;
            /** @description By what it was paid */
            method: components["schemas"]["PaidBy"];
            /** @description What the school noted with money that it recorded; null for nothing */
            reference: string | null;
            /** @description Amount in minor units of the currency */
            amount_cents: number;
            /** @description What was refunded of it, in minor units */
            refunded_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description State of the object */
            status: components["schemas"]["PaymentState"];
            /** @description Why the payment failed; null otherwise */
            failure_code: string | null;
            /** @description Whether a dispute of the payment is open or lost: it cannot be refunded then */
            disputed: boolean;
            /** @description The dispute of the payment with the bank; null without one */
            dispute: {
                /** @description State of the object */
                status: components["schemas"]["DisputeState"];
                /**
                 * Format: date-time
                 * @description When it was decided; null while it is open
                 * @example 2027-03-01T16:00:00.000Z
                 */
                closed_at: string | null;
            } | null;
            /** @description What the owner of the card has to do; null for nothing */
            next_action: {
                /**
                 * @description What to do
                 * @enum {string}
                 */
                type: "redirect" | "use_processor_sdk";
                /** @description Address at which the owner of the card continues */
                redirect_url: string | null;
                /** @description For the browser library of the processor */
                client_secret: string | null;
            } | null;
            /**
             * @description Data of the client's own, as the client has set it
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        PaymentMethod: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "payment_method";
            /** @description Identifier */
            id: components["schemas"]["id_pm"];
            /** @description Where the method is stored */
            processor: string;
            /** @description Brand of the card */
            brand: string;
            /** @description Last four characters */
            last4: string;
            /** @description Month of expiry, from 1 to 12 */
            exp_month: number;
            /** @description Year of expiry, four digits */
            exp_year: number;
            /** @description Whether it is the default of the account */
            is_default: boolean;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was added, or became or ceased to be the default */
            updated_at: components["schemas"]["Timestamp"];
        };
        Policies: {
            /** @description Until how many hours before the start a cancellation has no fee */
            free_cancellation_hours: number;
            /** @description Part of the price that a late cancellation costs */
            late_fee_percent: number;
            /** @description Part of the price that a missed session costs */
            no_show_fee_percent: number;
            /** @description Whether only payment in full confirms a booking */
            require_prepayment: boolean;
            /** @description Whether sessions are only booked within published hours */
            enforce_availability: boolean;
            /** @description Whether cancellations may give makeup credits */
            makeup_credits: boolean;
            /** @description Whether accounts see the progress of their members */
            progress_visible: boolean;
            /** @description Address of the link in e-mails with offers, with `{waitlist_id}` in it; null for none */
            offer_url_template: string | null;
        };
        Pool: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "pool";
            /** @description Identifier */
            id: components["schemas"]["id_pool"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description Name */
            name: string;
            /** @description Postal address */
            address: string;
            /** @description Degrees north */
            latitude: number;
            /** @description Degrees east */
            longitude: number;
            /** @description IANA time zone */
            timezone: string;
            /** @description Groups that may swim at the same time; null for no limit */
            lanes: number | null;
            /**
             * @description Data of the client's own, as the client has set it
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        Progress: {
            /** @description The member who takes the lesson */
            member_id: components["schemas"]["id_mem"];
            /** @description Level of the member, of the six of the American Red Cross */
            swimming_level: components["schemas"]["SwimmingLevel"];
            /** @description The level after this; null after the last */
            next_level: components["schemas"]["SwimmingLevel"] | null;
            /** @description Mastered part of the skills of the level, from 0 to 100 */
            percent_complete: number | null;
            /** @description Skills of the level, with their state */
            skills: {
                /** @description Stable code of the skill */
                code: string;
                /** @description Name */
                name: string;
                /** @description The level of the scale of six */
                level: components["schemas"]["SwimmingLevel"];
                /** @description How well the member masters the skill */
                status: components["schemas"]["SkillStatus"];
                /**
                 * Format: date-time
                 * @description When the skill was last assessed; null before
                 * @example 2027-03-01T16:00:00.000Z
                 */
                assessed_at: string | null;
                /** @description The school that assessed it; null before */
                assessed_by: string | null;
            }[];
            /** @description Number of completed sessions */
            sessions_completed: number;
            /** @description Attended sessions of those attended or missed, from 0 to 1; null without any */
            attendance_rate: number | null;
            /** @description The levels that were reached, and when */
            level_history: {
                /** @description The level of the scale of six */
                level: components["schemas"]["SwimmingLevel"];
                /** @description When the level was reached */
                reached_at: components["schemas"]["Timestamp"];
            }[];
            /** @description Notes of the assessments, newest first */
            notes: {
                /** @description The note */
                text: string;
                /** @description When it was made */
                created_at: components["schemas"]["Timestamp"];
            }[];
        };
        PublishedSchedule: {
            /** @description Windows of each week */
            weekly: components["schemas"]["WeeklyWindow"][];
            /** @description Dates on which other hours hold than in the week */
            overrides: components["schemas"]["ScheduleOverride"][];
            /** @description Minutes that stay free before each session */
            buffer_before_minutes: number;
            /** @description Minutes that stay free after each session */
            buffer_after_minutes: number;
            /** @description How many minutes before its start a session may be booked at the latest */
            minimum_notice_minutes: number;
            /** @description How many days ahead a session may be booked at most */
            maximum_days_ahead: number;
            /** @description Minutes from the start of a slot to that of the next */
            slot_interval_minutes: number;
            /** @description IANA time zone in which the schedule is written */
            timezone: string;
        };
        Refund: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "refund";
            /** @description Identifier */
            id: components["schemas"]["id_rfd"];
            /** @description The payment */
            payment_id: components["schemas"]["id_pay"];
            /** @description Amount in minor units of the currency */
            amount_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description Reason given by a person; null for none */
            reason: string | null;
            /** @description State of the object */
            status: components["schemas"]["RefundStatus"];
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        RequestCounts: {
            /** @description Requests of API keys that were answered, without those that a limit rejected */
            requests: number;
            /** @description Those of `requests` whose status was 4xx */
            client_errors: number;
            /** @description Those of `requests` whose status was 5xx */
            server_errors: number;
            /** @description Requests that a limit rejected with 429; they do not count against it */
            limited: number;
        };
        RequestLogEntry: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "request_log_entry";
            /** @description Identifier */
            id: components["schemas"]["id_rlog"];
            /** @description `X-Request-Id`: the id of the request, or the one that the client sent */
            request_id: string;
            /**
             * @description HTTP method
             * @example POST
             */
            method: string;
            /**
             * @description Path of the request. A parameter that is no id has the name of the parameter; null where no route has the path
             * @example /v1/sessions/ses_01k5zr8q3ve9mbf6w2n0x4ht7c
             */
            path: string | null;
            /**
             * @description Query parameters: paging, ids, dates and enumerations as sent, the values of all others `[redacted]`
             * @example {
             *       "limit": "50",
             *       "search": "[redacted]"
             *     }
             */
            query: {
                [key: string]: string;
            };
            /**
             * @description HTTP status of the answer
             * @example 201
             */
            status: number;
            /** @description `error.details.reason` of the answer; null without an error */
            reason: string | null;
            /** @description Milliseconds from the head of the request to the end of the answer */
            duration_ms: number;
            /** @description The API key; null for a user of the dashboard */
            key_id: string | null;
            /** @description The user of the dashboard; null for an API key */
            user_id: string | null;
            /** @description Where the request came from: the /24 of an IPv4 address, the /64 of IPv6 */
            network: string;
            /** @description When the request was answered */
            created_at: components["schemas"]["Timestamp"];
        };
        Review: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "review";
            /** @description Identifier */
            id: components["schemas"]["id_rev"];
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description The session */
            session_id?: components["schemas"]["id_ses"];
            /** @description From 1 to 5 */
            stars: number;
            /** @description Text of the review; null for none */
            comment: string | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
        };
        ScheduleOverride: {
            /** @description Calendar date YYYY-MM-DD */
            date: components["schemas"]["CalendarDate"];
            /** @description Windows of that date */
            windows?: components["schemas"]["TimeWindow"][];
            /** @description Whether nothing is free on that date */
            unavailable?: boolean;
        };
        Session: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "session";
            /** @description Identifier */
            id: components["schemas"]["id_ses"];
            /** @description The account of the member, regardless of who made the session */
            account_id: components["schemas"]["id_acct"];
            /** @description The booking to which it belongs; null for none */
            booking_id: string | null;
            /** @description The lesson that it is a place in */
            lesson_id: components["schemas"]["id_lsn"];
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description The member who takes the lesson */
            member_id: components["schemas"]["id_mem"];
            /** @description Start, an instant */
            date: components["schemas"]["Timestamp"];
            /** @description End, an instant */
            end_date: components["schemas"]["Timestamp"];
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description Where the session takes place; the first pool of the instructor by default */
            location: {
                /** @description Kind of place */
                type: string;
                /** @description The pool; required when `type` is `pool` */
                pool_id: string | null;
            } | null;
            /** @description Free text */
            notes: string | null;
            /** @description State of the object */
            status: components["schemas"]["SessionStatus"];
            /** @description Whether the member came; final once money followed from it */
            attendance: components["schemas"]["Attendance"];
            /** @description How the session was cancelled; null otherwise */
            cancellation: {
                /** @description Reason given by a person; null for none */
                reason: string | null;
                /** @description When it was cancelled */
                cancelled_at: components["schemas"]["Timestamp"];
                /** @description The account that cancelled it */
                cancelled_by: components["schemas"]["id_acct"];
                /** @description Whether the participants got an e-mail */
                participants_notified: boolean;
                /** @description Whether the free cancellation is over */
                late: boolean;
                /** @description Fee that is kept, in minor units */
                fee_cents: number;
                /** @description The refund that followed; null for none */
                refund_id: string | null;
                /** @description Whether a makeup credit is, or can be, given instead of a refund */
                makeup_credit: string | null;
            } | null;
            /** @description Price in minor units; 0 outside a booking */
            price_cents: number;
            /** @description Why the school has set the price; null for no reason */
            price_reason: string | null;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /**
             * @description Data of the client's own, as the client has set it
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        Suggestion: {
            /** @description Start */
            start: components["schemas"]["Timestamp"];
            /** @description End */
            end: components["schemas"]["Timestamp"];
            /** @description Start, an instant */
            date: components["schemas"]["Timestamp"];
            /** @description Length in minutes */
            duration_minutes: number;
        };
        SwimClass: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "class";
            /** @description Identifier */
            id: components["schemas"]["id_cls"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description Name */
            name: string;
            /** @description What the school says about it */
            description: string | null;
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description Where the session takes place; the first pool of the instructor by default */
            location: {
                /** @description Kind of place */
                type: string;
                /** @description The pool; required when `type` is `pool` */
                pool_id: string | null;
            } | null;
            /** @description When its lessons are, in wall-clock time */
            recurrence: {
                /** @description Earliest date and local time of its lessons */
                start_local: string;
                /** @description IANA time zone */
                timezone: string;
                /** @description Days of the week on which it recurs */
                weekdays: components["schemas"]["Weekday"][];
                /** @description How many dates, exceptions included; absent with `until` */
                count?: number;
                /** @description Last possible local date; absent with `count` */
                until?: components["schemas"]["CalendarDate"];
                /** @description Local dates that are left out */
                except: components["schemas"]["CalendarDate"][];
            };
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description How many places it has */
            capacity: number;
            /** @description Levels for which it is; empty for all */
            levels: components["schemas"]["SwimmingLevel"][];
            /** @description Youngest age on the date of the lesson; null for no limit */
            min_age_years: number | null;
            /** @description Oldest age on the date of the lesson; null for no limit */
            max_age_years: number | null;
            /** @description Price of one lesson in minor units */
            price_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description State of the object */
            status: components["schemas"]["ClassStatus"];
            /** @description The fewest places left in a lesson to come; null where none is */
            places_left: number | null;
            /**
             * Format: date-time
             * @description When the next lesson begins; null where none is to come
             * @example 2027-03-01T16:00:00.000Z
             */
            next_lesson_at: string | null;
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        TimeWindow: {
            /** @description Local time HH:MM, 00:00 to 24:00 */
            start: string;
            /** @description Local time HH:MM, 00:00 to 24:00 */
            end: string;
        };
        UsageHour: {
            /** @description Beginning of the clock hour (UTC) */
            start: components["schemas"]["Timestamp"];
            /** @description Requests of API keys that were answered, without those that a limit rejected */
            requests: number;
            /** @description Those of `requests` whose status was 4xx */
            client_errors: number;
            /** @description Those of `requests` whose status was 5xx */
            server_errors: number;
            /** @description Requests that a limit rejected with 429; they do not count against it */
            limited: number;
        };
        UsageLimits: {
            /**
             * @description Requests within a clock hour (UTC)
             * @example 1000
             */
            per_hour: number;
            /**
             * @description Requests within a clock minute (UTC)
             * @example 100
             */
            per_minute: number;
        };
        WaitlistEntry: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "waitlist_entry";
            /** @description Identifier */
            id: components["schemas"]["id_wl"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The lesson that it is a place in */
            lesson_id: string | null;
            /** @description The class that it belongs to; null for none */
            class_id: string | null;
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description The member who takes the lesson */
            member_id: components["schemas"]["id_mem"];
            /** @description From this instant on */
            date_from: components["schemas"]["Timestamp"];
            /** @description Before this instant */
            date_to: components["schemas"]["Timestamp"];
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description State of the object */
            status: components["schemas"]["WaitlistStatus"];
            /** @description The time that is offered; null for none */
            offer: {
                /** @description The hold that keeps the offered time */
                hold_id: components["schemas"]["id_hold"];
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
                /** @description End, an instant */
                end_date: components["schemas"]["Timestamp"];
                /** @description When it ends */
                expires_at: components["schemas"]["Timestamp"];
            } | null;
            /** @description The booking to which it belongs; null for none */
            booking_id: string | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        WebhookDelivery: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "webhook_delivery";
            /** @description Identifier */
            id: components["schemas"]["id_dlv"];
            /** @description The webhook endpoint */
            webhook_endpoint_id: components["schemas"]["id_whe"];
            /** @description The event that is delivered */
            event_id: components["schemas"]["id_evt"];
            /** @description Type */
            type: string;
            /** @description State of the object */
            status: components["schemas"]["WebhookDeliveryState"];
            /** @description Oldest first */
            attempts: {
                /** @description When it was tried */
                at: components["schemas"]["Timestamp"];
                /** @description Null when no answer came */
                status_code: number | null;
                /** @description How long the try took, in milliseconds */
                duration_ms: number;
                /** @description Why the try failed; null after an answer of 2xx */
                error: string | null;
                /** @description At most the first 16 KiB of the answer */
                response_body: string | null;
            }[];
            /**
             * Format: date-time
             * @description When the next try is due; null when none is
             * @example 2027-03-01T16:00:00.000Z
             */
            next_attempt_at: string | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was made, its latest try was recorded, or it was made due again */
            updated_at: components["schemas"]["Timestamp"];
        };
        WebhookEndpoint: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "webhook_endpoint";
            /** @description Identifier */
            id: components["schemas"]["id_whe"];
            /** @description Address */
            url: string;
            /** @description Types of events that it receives */
            events: string[];
            /** @description Description of your own */
            description: string | null;
            /** @description Whether events are sent to it */
            enabled: boolean;
            /** @description Why the service disabled it: `gone` after an answer of 410, `failing` after five days in a row on each of which tries failed and none succeeded. Null otherwise */
            disabled_reason: components["schemas"]["WebhookDisabledReason"] | null;
            /** @description Keys and values of your own */
            metadata: {
                [key: string]: string;
            };
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        WeeklyWindow: {
            /** @description Day of the week */
            day: components["schemas"]["Weekday"];
            /** @description Local time HH:MM, 00:00 to 24:00 */
            start: string;
            /** @description Local time HH:MM, 00:00 to 24:00 */
            end: string;
        };
        Meta: {
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Identifier of the request, as in `X-Request-Id` */
            request_id: string;
            /** @description True on the answer to a dry run; absent from others. */
            dry_run?: boolean;
            /** @description Non-fatal notes for the developer: texts, and objects with a `code`, by which the other fields are given: see Warnings in the conventions. */
            warnings?: (string | {
                /** @description What the warning is about */
                code: string;
                /** @description A calendar date, or an instant */
                date?: string;
                /** @description Start */
                start?: components["schemas"]["Timestamp"];
                /**
                 * Format: date
                 * @description When it ends
                 */
                expires_at?: string;
                /** @description Levels that the instructor teaches */
                levels_taught?: string[];
                /** @description Up to three times nearby that are free, each of which can be booked as it stands */
                suggestions?: Record<string, never>[];
                /** @description Number of reviews */
                count?: number;
                /** @description The first lessons that a change leaves outside of the published hours */
                lesson_ids?: string[];
                /** @description Why a date of a class is left out */
                reason?: string;
            })[];
        };
        Pagination: {
            /** @description Whether another page follows */
            has_more: boolean;
            /** @description Send it as `cursor` for the next page; null at the end. */
            next_cursor: string | null;
            /** @description Exact number of results. */
            total: number;
        };
        Health: {
            /**
             * @description Whether each service reaches what it needs
             * @enum {string}
             */
            status: "ok" | "degraded";
            /** @description Those that do not, of a `degraded` answer */
            services?: string[];
        };
        HealthEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Health"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ErrorEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What is wrong, and how to correct it */
            error: components["schemas"]["AuthenticationError"] | components["schemas"]["AuthorizationError"] | components["schemas"]["InvalidRequestError"] | components["schemas"]["NotFoundError"] | components["schemas"]["ConflictError"] | components["schemas"]["RateLimitExceededError"] | components["schemas"]["ServerError"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        /** @description A field at fault. One at least of the members beside `field`, `reason` and `message` says what would be right. */
        FieldError: {
            /** @description Name of the field, dotted: `sessions.0.date`; `body` for the body as a whole */
            field: string;
            /** @description Stable; see the list of reasons */
            reason: string;
            /** @description What would be right, and what was sent, in English */
            message: string;
            /** @description Smallest number that is allowed */
            minimum?: number;
            /** @description Largest number that is allowed */
            maximum?: number;
            /** @description The number that the value has to exceed */
            exclusive_minimum?: number;
            /** @description Fewest characters that are allowed */
            min_length?: number;
            /** @description Most characters that are allowed */
            max_length?: number;
            /** @description Fewest items or keys that are allowed */
            min_items?: number;
            /** @description Most items or keys that are allowed */
            max_items?: number;
            /** @description Every value that is allowed */
            allowed?: (string | number | boolean)[];
            /** @description What the value has to be, in English */
            expected?: string;
        };
        AuthenticationError: {
            /**
             * @description One of the seven codes of errors (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "AUTHENTICATION_ERROR";
            /** @description What is wrong and how to mend it, in English */
            message: string;
            /** @description The reason, and what belongs to it */
            details: components["schemas"]["AuthenticationDetails"];
        };
        AuthenticationDetails: {
            /**
             * @description Stable name of the cause
             * @enum {string}
             */
            reason: "missing_key" | "malformed_key" | "unknown_key" | "expired_key" | "revoked_key" | "address_not_allowed" | "wrong_environment" | "session_ended" | "wrong_credentials" | "wrong_code" | "wrong_passkey" | "sign_in_expired" | "second_factor_locked";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
        };
        AuthorizationError: {
            /**
             * @description One of the seven codes of errors (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "AUTHORIZATION_ERROR";
            /** @description What is wrong and how to mend it, in English */
            message: string;
            /** @description The reason, and what belongs to it */
            details: components["schemas"]["AuthorizationDetails"];
        };
        /** @description Its members depend on its `reason`. */
        AuthorizationDetails: components["schemas"]["OtherAuthorizationDetails"] | components["schemas"]["MissingScopeDetails"];
        OtherAuthorizationDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "foreign_account" | "foreign_origin" | "sandbox_erased" | "csrf_rejected" | "missing_role" | "account_switched" | "wrong_recipient" | "wrong_password" | "confirmation_required" | "school_only";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
        };
        MissingScopeDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "missing_scope";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description The scope that the key lacks */
            scope: string;
        };
        InvalidRequestError: {
            /**
             * @description One of the seven codes of errors (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "VALIDATION_ERROR";
            /** @description What is wrong and how to mend it, in English */
            message: string;
            /** @description The reason, and what belongs to it */
            details: components["schemas"]["ValidationDetails"];
        };
        /** @description Its members depend on its `reason`. */
        ValidationDetails: components["schemas"]["OtherValidationDetails"] | components["schemas"]["TooLargeDetails"] | components["schemas"]["OutOfRangeDetails"] | components["schemas"]["TooManyMatchesDetails"] | components["schemas"]["GroupTooLargeDetails"] | components["schemas"]["AmountExceedsDueDetails"] | components["schemas"]["AmountExceedsRefundableDetails"] | components["schemas"]["CardDeclinedDetails"] | components["schemas"]["AuthenticationRequiredDetails"];
        OtherValidationDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "required" | "invalid_type" | "invalid_value" | "invalid_format" | "too_small" | "too_short" | "too_long" | "unknown_field" | "read_only" | "empty_patch" | "duplicate_value" | "duplicate_field" | "duplicate_parameter" | "invalid_json" | "invalid_body" | "too_deep" | "forbidden_characters" | "common_password" | "card_number" | "body_too_large" | "unsupported_media_type" | "headers_too_large" | "malformed_request" | "malformed_url" | "invalid_id" | "invalid_date" | "offset_required" | "in_past" | "too_far_ahead" | "not_in_past" | "range_too_long" | "range_reversed" | "lessons_of_several_schools" | "overlapping_sessions" | "not_found" | "unknown_timezone" | "mutually_exclusive" | "invalid_cursor" | "invalid_idempotency_key" | "idempotency_key_reused" | "hold_mismatch" | "inactive_instructor" | "members_of_several_accounts" | "currency_mismatch" | "not_representable" | "invalid_signature" | "credit_of_other_school" | "invalid_payment_method" | "invalid_phone" | "incomplete_contact" | "policies_of_school_only" | "https_required" | "forbidden_target" | "invalid_link" | "credentials_in_url";
            /** @description Name of the field or parameter at fault, dotted */
            field: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Every field at fault */
            errors: components["schemas"]["FieldError"][];
            /** @description Smallest number that is allowed */
            minimum?: number;
            /** @description Largest number that is allowed */
            maximum?: number;
            /** @description The number that the value has to exceed */
            exclusive_minimum?: number;
            /** @description Fewest characters that are allowed */
            min_length?: number;
            /** @description Most characters that are allowed */
            max_length?: number;
            /** @description Fewest items or keys that are allowed */
            min_items?: number;
            /** @description Most items or keys that are allowed */
            max_items?: number;
            /** @description Every value that is allowed */
            allowed?: (string | number | boolean)[];
            /** @description What the value has to be, in English */
            expected?: string;
            /** @description The present instant, where one was too early or too late */
            now?: components["schemas"]["Timestamp"];
        };
        TooLargeDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "too_large";
            /** @description Name of the field or parameter at fault, dotted */
            field: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Every field at fault */
            errors: components["schemas"]["FieldError"][];
            /** @description Smallest number that is allowed */
            minimum?: number;
            /** @description The most that is allowed */
            maximum?: number;
            /** @description The number that the value has to exceed */
            exclusive_minimum?: number;
            /** @description Fewest characters that are allowed */
            min_length?: number;
            /** @description Most characters that are allowed */
            max_length?: number;
            /** @description Fewest items or keys that are allowed */
            min_items?: number;
            /** @description Most items or keys that are allowed */
            max_items?: number;
            /** @description Every value that is allowed */
            allowed?: (string | number | boolean)[];
            /** @description What the value has to be, in English */
            expected?: string;
            /** @description The present instant, where one was too early or too late */
            now?: components["schemas"]["Timestamp"];
        };
        OutOfRangeDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "out_of_range";
            /** @description Name of the field or parameter at fault, dotted */
            field: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Every field at fault */
            errors: components["schemas"]["FieldError"][];
            /** @description Smallest number that is allowed */
            minimum?: number;
            /** @description The most that is allowed */
            maximum?: number;
            /** @description The number that the value has to exceed */
            exclusive_minimum?: number;
            /** @description Fewest characters that are allowed */
            min_length?: number;
            /** @description Most characters that are allowed */
            max_length?: number;
            /** @description Fewest items or keys that are allowed */
            min_items?: number;
            /** @description Most items or keys that are allowed */
            max_items?: number;
            /** @description Every value that is allowed */
            allowed?: (string | number | boolean)[];
            /** @description What the value has to be, in English */
            expected?: string;
            /** @description The present instant, where one was too early or too late */
            now?: components["schemas"]["Timestamp"];
        };
        TooManyMatchesDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "too_many_matches";
            /** @description Name of the field or parameter at fault, dotted */
            field: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Every field at fault */
            errors: components["schemas"]["FieldError"][];
            /** @description Smallest number that is allowed */
            minimum?: number;
            /** @description The most that is allowed */
            maximum: number;
            /** @description The number that the value has to exceed */
            exclusive_minimum?: number;
            /** @description Fewest characters that are allowed */
            min_length?: number;
            /** @description Most characters that are allowed */
            max_length?: number;
            /** @description Fewest items or keys that are allowed */
            min_items?: number;
            /** @description Most items or keys that are allowed */
            max_items?: number;
            /** @description Every value that is allowed */
            allowed?: (string | number | boolean)[];
            /** @description What the value has to be, in English */
            expected?: string;
            /** @description The present instant, where one was too early or too late */
            now?: components["schemas"]["Timestamp"];
        };
        GroupTooLargeDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "group_too_large";
            /** @description Name of the field or parameter at fault, dotted */
            field: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Every field at fault */
            errors: components["schemas"]["FieldError"][];
            /** @description Smallest number that is allowed */
            minimum?: number;
            /** @description The most that is allowed */
            maximum: number;
            /** @description The number that the value has to exceed */
            exclusive_minimum?: number;
            /** @description Fewest characters that are allowed */
            min_length?: number;
            /** @description Most characters that are allowed */
            max_length?: number;
            /** @description Fewest items or keys that are allowed */
            min_items?: number;
            /** @description Most items or keys that are allowed */
            max_items?: number;
            /** @description Every value that is allowed */
            allowed?: (string | number | boolean)[];
            /** @description What the value has to be, in English */
            expected?: string;
            /** @description The present instant, where one was too early or too late */
            now?: components["schemas"]["Timestamp"];
        };
        AmountExceedsDueDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "amount_exceeds_due";
            /** @description Name of the field or parameter at fault, dotted */
            field: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Every field at fault */
            errors: components["schemas"]["FieldError"][];
            /** @description Smallest number that is allowed */
            minimum?: number;
            /** @description Largest number that is allowed */
            maximum?: number;
            /** @description The number that the value has to exceed */
            exclusive_minimum?: number;
            /** @description Fewest characters that are allowed */
            min_length?: number;
            /** @description Most characters that are allowed */
            max_length?: number;
            /** @description Fewest items or keys that are allowed */
            min_items?: number;
            /** @description Most items or keys that are allowed */
            max_items?: number;
            /** @description Every value that is allowed */
            allowed?: (string | number | boolean)[];
            /** @description What the value has to be, in English */
            expected?: string;
            /** @description The present instant, where one was too early or too late */
            now?: components["schemas"]["Timestamp"];
            /** @description What is still due for the booking, less payments that are in progress */
            amount_due_cents: number;
        };
        AmountExceedsRefundableDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "amount_exceeds_refundable";
            /** @description Name of the field or parameter at fault, dotted */
            field: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Every field at fault */
            errors: components["schemas"]["FieldError"][];
            /** @description Smallest number that is allowed */
            minimum?: number;
            /** @description Largest number that is allowed */
            maximum?: number;
            /** @description The number that the value has to exceed */
            exclusive_minimum?: number;
            /** @description Fewest characters that are allowed */
            min_length?: number;
            /** @description Most characters that are allowed */
            max_length?: number;
            /** @description Fewest items or keys that are allowed */
            min_items?: number;
            /** @description Most items or keys that are allowed */
            max_items?: number;
            /** @description Every value that is allowed */
            allowed?: (string | number | boolean)[];
            /** @description What the value has to be, in English */
            expected?: string;
            /** @description The present instant, where one was too early or too late */
            now?: components["schemas"]["Timestamp"];
            /** @description What can still be refunded */
            refundable_cents?: number;
        };
        CardDeclinedDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "card_declined";
            /** @description Name of the field or parameter at fault, dotted */
            field: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Every field at fault */
            errors: components["schemas"]["FieldError"][];
            /** @description Smallest number that is allowed */
            minimum?: number;
            /** @description Largest number that is allowed */
            maximum?: number;
            /** @description The number that the value has to exceed */
            exclusive_minimum?: number;
            /** @description Fewest characters that are allowed */
            min_length?: number;
            /** @description Most characters that are allowed */
            max_length?: number;
            /** @description Fewest items or keys that are allowed */
            min_items?: number;
            /** @description Most items or keys that are allowed */
            max_items?: number;
            /** @description Every value that is allowed */
            allowed?: (string | number | boolean)[];
            /** @description What the value has to be, in English */
            expected?: string;
            /** @description The present instant, where one was too early or too late */
            now?: components["schemas"]["Timestamp"];
            /** @description The failed payment, which is stored */
            payment_id?: components["schemas"]["id_pay"];
            /** @description The processor's reason */
            decline_code: string | null;
        };
        AuthenticationRequiredDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "authentication_required";
            /** @description Name of the field or parameter at fault, dotted */
            field: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Every field at fault */
            errors: components["schemas"]["FieldError"][];
            /** @description Smallest number that is allowed */
            minimum?: number;
            /** @description Largest number that is allowed */
            maximum?: number;
            /** @description The number that the value has to exceed */
            exclusive_minimum?: number;
            /** @description Fewest characters that are allowed */
            min_length?: number;
            /** @description Most characters that are allowed */
            max_length?: number;
            /** @description Fewest items or keys that are allowed */
            min_items?: number;
            /** @description Most items or keys that are allowed */
            max_items?: number;
            /** @description Every value that is allowed */
            allowed?: (string | number | boolean)[];
            /** @description What the value has to be, in English */
            expected?: string;
            /** @description The present instant, where one was too early or too late */
            now?: components["schemas"]["Timestamp"];
            /** @description The failed payment, which is stored */
            payment_id: components["schemas"]["id_pay"];
            /** @description The processor's reason */
            decline_code: string | null;
        };
        NotFoundError: {
            /**
             * @description One of the seven codes of errors (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "NOT_FOUND";
            /** @description What is wrong and how to mend it, in English */
            message: string;
            /** @description The reason, and what belongs to it */
            details: components["schemas"]["NotFoundDetails"];
        };
        NotFoundDetails: {
            /**
             * @description Stable name of the cause
             * @enum {string}
             */
            reason: "resource_not_found" | "unknown_route" | "method_not_allowed";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
        };
        ConflictError: {
            /**
             * @description One of the seven codes of errors (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "CONFLICT";
            /** @description What is wrong and how to mend it, in English */
            message: string;
            /** @description The reason, and what belongs to it */
            details: components["schemas"]["ConflictDetails"];
        };
        /** @description Its members depend on its `reason`. */
        ConflictDetails: components["schemas"]["OtherConflictDetails"] | components["schemas"]["AccountClosingDetails"] | components["schemas"]["InstructorBusyDetails"] | components["schemas"]["LessonFullDetails"] | components["schemas"]["NotEligibleDetails"] | components["schemas"]["MemberBusyDetails"] | components["schemas"]["CapacityBelowTakenDetails"] | components["schemas"]["PoolFullDetails"] | components["schemas"]["ClosedDetails"] | components["schemas"]["OutsideAvailabilityDetails"] | components["schemas"]["InvalidStateDetails"] | components["schemas"]["StaleVersionDetails"] | components["schemas"]["ClassFullDetails"] | components["schemas"]["ConflictingLessonsDetails"] | components["schemas"]["ConflictingDatesDetails"] | components["schemas"]["PaymentDisputedDetails"] | components["schemas"]["ConsentExceededDetails"] | components["schemas"]["AlreadyPaidDetails"] | components["schemas"]["AlreadyExistsDetails"] | components["schemas"]["LimitReachedDetails"];
        OtherConflictDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "shared_lesson" | "private_lesson" | "prepayment_required" | "not_started" | "already_started" | "idempotency_in_progress" | "class_open" | "already_enrolled" | "no_dates" | "change_in_progress" | "advance_in_progress" | "reset_in_progress" | "replay_in_progress" | "no_consent" | "credits_not_offered" | "too_many_attempts" | "user_exists" | "connection_ended" | "last_owner";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
        };
        AccountClosingDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "account_closing";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description When the account is erased */
            erases_at: components["schemas"]["Timestamp"];
        };
        InstructorBusyDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "instructor_busy";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Up to three times nearby at which the same request would succeed */
            suggestions: components["schemas"]["Suggestion"][];
        };
        LessonFullDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "lesson_full";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Up to three lessons of the same school with a free place, for which the member is eligible */
            suggestions: {
                /** @description The lesson that it is a place in */
                lesson_id: components["schemas"]["id_lsn"];
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
            }[];
            /** @description Each lesson of `lesson_ids` without a place, in the order of the request */
            conflicts?: components["schemas"]["LessonConflict"][];
        };
        NotEligibleDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "not_eligible";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description What of the lesson the member does not fit */
            rule: components["schemas"]["EligibilityRule"];
            /** @description The first member who does not fit */
            member_id: components["schemas"]["id_mem"];
            /** @description Each lesson of `lesson_ids` without a place, in the order of the request */
            conflicts?: components["schemas"]["LessonConflict"][];
        };
        MemberBusyDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "member_busy";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description The first member who is busy */
            member_id?: components["schemas"]["id_mem"];
            /** @description The first session of the lesson whose member is busy, when the school moves a lesson */
            session_id?: components["schemas"]["id_ses"];
            /** @description Up to three times nearby at which the same request would succeed */
            suggestions: components["schemas"]["Suggestion"][];
            /** @description Each lesson of `lesson_ids` without a place, in the order of the request */
            conflicts?: components["schemas"]["LessonConflict"][];
        };
        CapacityBelowTakenDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "capacity_below_taken";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description How many places are taken */
            places_taken: number;
        };
        PoolFullDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "pool_full";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Up to three times nearby at which the same request would succeed */
            suggestions: components["schemas"]["Suggestion"][];
        };
        ClosedDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "closed";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Why the school has closed this time */
            closure_reason: string;
            /** @description The first instant that no closure covers */
            closed_until: components["schemas"]["Timestamp"];
            /** @description Up to three times nearby at which the same request would succeed */
            suggestions: components["schemas"]["Suggestion"][];
            /** @description Each lesson or date that is closed, in the order of the request */
            conflicts?: (components["schemas"]["LessonConflict"] | components["schemas"]["DateConflict"])[];
        };
        OutsideAvailabilityDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "outside_availability";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description `hours`: outside the published hours. `notice`: too soon. `days_ahead`: too far in the future */
            rule: components["schemas"]["AvailabilityRule"];
            /** @description The first instant at which it could be booked: with `notice` the earliest start that can be booked now, with `days_ahead` when this time can be booked */
            opens_at?: components["schemas"]["Timestamp"];
            /** @description Up to three times nearby at which the same request would succeed */
            suggestions: components["schemas"]["Suggestion"][];
            /** @description Each lesson of `lesson_ids` without a place, in the order of the request */
            conflicts?: components["schemas"]["LessonConflict"][];
        };
        InvalidStateDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "invalid_state";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Status that the object has now */
            status?: string;
            /** @description The key that has replaced a rolled key */
            replaced_by?: components["schemas"]["id_key"];
        };
        StaleVersionDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "stale_version";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description The version that the object has now */
            current_version: number;
        };
        ClassFullDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "class_full";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Up to three classes of the same school with a free place, for which the member is eligible */
            suggestions: {
                /** @description The class that it belongs to */
                class_id: components["schemas"]["id_cls"];
                /** @description When the next lesson begins */
                next_lesson_at: components["schemas"]["Timestamp"];
            }[];
            /** @description Each lesson of `lesson_ids` without a place, in the order of the request */
            conflicts?: components["schemas"]["LessonConflict"][];
        };
        ConflictingLessonsDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "conflicting_lessons";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description The lessons that the substitute cannot take over */
            skipped: {
                /** @description The lesson that it is a place in */
                lesson_id: components["schemas"]["id_lsn"];
                /** @description Why the substitute cannot take it over, such as `instructor_busy` */
                reason: string;
            }[];
        };
        ConflictingDatesDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "conflicting_dates";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Each date that is not free, in the order of the request */
            conflicts: components["schemas"]["DateConflict"][];
        };
        PaymentDisputedDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "payment_disputed";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description Status that the object has now */
            status?: string;
        };
        ConsentExceededDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "consent_exceeded";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description What may still be charged by consent, in minor units */
            allowed_cents: number;
        };
        AlreadyPaidDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "already_paid";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description What is still due for the booking, less payments that are in progress */
            amount_due_cents?: number;
        };
        AlreadyExistsDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "already_exists";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description The review that the session already has */
            review_id?: components["schemas"]["id_rev"];
        };
        LimitReachedDetails: {
            /**
             * @description Stable name of the cause (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            reason: "limit_reached";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
            /** @description The most that is allowed */
            maximum?: number;
            /** @description The most hours of sessions that may be held */
            maximum_hours?: number;
        };
        RateLimitExceededError: {
            /**
             * @description One of the seven codes of errors (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "RATE_LIMIT_EXCEEDED";
            /** @description What is wrong and how to mend it, in English */
            message: string;
            /** @description The reason, and what belongs to it */
            details: components["schemas"]["RateLimitExceededDetails"];
        };
        RateLimitExceededDetails: {
            /**
             * @description Stable name of the cause
             * @enum {string}
             */
            reason: "hourly_limit" | "burst_limit" | "authentication_attempts" | "sign_in_attempts";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
        };
        ServerError: {
            /**
             * @description One of the seven codes of errors (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "SERVER_ERROR";
            /** @description What is wrong and how to mend it, in English */
            message: string;
            /** @description The reason, and what belongs to it */
            details: components["schemas"]["ServerDetails"];
        };
        ServerDetails: {
            /**
             * @description Stable name of the cause
             * @enum {string}
             */
            reason: "internal" | "unavailable" | "overloaded" | "deadline_exceeded" | "busy_retry";
            /** @description Name of the field or parameter at fault, dotted */
            field?: string;
            /**
             * Format: uri-reference
             * @description Where the documentation explains the reason; relative to the URL of the request unless it has a host
             */
            doc_url: string;
        };
        RecordLessonAttendance: {
            /** @description The lesson that it is a place in */
            lesson_id: components["schemas"]["id_lsn"];
            /** @description What became of each entry, in order */
            entries: {
                /** @description The session */
                session_id: components["schemas"]["id_ses"];
                /**
                 * @description What became of the entry
                 * @enum {string}
                 */
                status: "recorded" | "unchanged" | "rejected";
                /**
                 * @description Why it was rejected, or that a later recording counts
                 * @enum {string}
                 */
                reason?: "not_started" | "invalid_state" | "not_found" | "recorded_later";
            }[];
        };
        Roster: {
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description The day, in the zone of the instructor */
            date: components["schemas"]["CalendarDate"];
            /** @description IANA time zone */
            timezone: string;
            /** @description The lessons of the day that are not cancelled, in order */
            lessons: {
                /**
                 * @description The kind of object
                 * @constant
                 */
                object: "lesson";
                /** @description Identifier */
                id: components["schemas"]["id_lsn"];
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
                /** @description The class that it belongs to; null for none */
                class_id: string | null;
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
                /** @description Where the session takes place; the first pool of the instructor by default */
                location: {
                    /** @description Kind of place */
                    type: string;
                    /** @description The pool; required when `type` is `pool` */
                    pool_id: string | null;
                } | null;
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
                /** @description End, an instant */
                end_date: components["schemas"]["Timestamp"];
                /** @description Length in minutes */
                duration_minutes: number;
                /** @description How many places it has */
                capacity: number;
                /** @description How many places are free: neither booked, nor held or offered */
                places_left: number;
                /** @description Whether every account sees it, and families can book its places */
                bookable: boolean;
                /** @description Levels for which it is; empty for all */
                levels: components["schemas"]["SwimmingLevel"][];
                /** @description Youngest age on the date of the lesson; null for no limit */
                min_age_years: number | null;
                /** @description Oldest age on the date of the lesson; null for no limit */
                max_age_years: number | null;
                /** @description Price in minor units; 0 outside a booking */
                price_cents: number;
                /** @description ISO 4217 code in upper case */
                currency: string;
                /** @description State of the object */
                status: components["schemas"]["SessionStatus"];
                /** @description Grows with each change; send it with PATCH to exclude lost updates */
                version: number;
                /** @description When it was made */
                created_at: components["schemas"]["Timestamp"];
                /** @description When it was last changed */
                updated_at: components["schemas"]["Timestamp"];
                /** @description The sessions */
                sessions: {
                    /** @description The session */
                    session_id: components["schemas"]["id_ses"];
                    /** @description The member who takes the lesson */
                    member_id: components["schemas"]["id_mem"];
                    /** @description Name */
                    name: string | null;
                    /** @description Age on the day of the lesson */
                    age_years: number | null;
                    /** @description Level of the member, of the six of the American Red Cross */
                    swimming_level: components["schemas"]["SwimmingLevel"] | null;
                    /** @description Whether there are medical notes */
                    has_medical_notes: boolean | null;
                    /** @description Null to a key without the scope `members:medical` */
                    medical_notes: string | null;
                    /** @description Who is called in an emergency; encrypted at rest, in no event */
                    emergency_contact: components["schemas"]["EmergencyContact"] | null;
                    /** @description Whether the member came; final once money followed from it */
                    attendance: components["schemas"]["Attendance"];
                    /** @description Whether the member has attended none of the school before */
                    first_lesson_with_school: boolean;
                }[];
            }[];
        };
        UpdateClass: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "class";
            /** @description Identifier */
            id: components["schemas"]["id_cls"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description Name */
            name: string;
            /** @description What the school says about it */
            description: string | null;
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description Where the session takes place; the first pool of the instructor by default */
            location: {
                /** @description Kind of place */
                type: string;
                /** @description The pool; required when `type` is `pool` */
                pool_id: string | null;
            } | null;
            /** @description A rule that is expanded in wall-clock time, instead of `sessions` */
            recurrence: {
                /** @description Earliest date and local time of its lessons */
                start_local: string;
                /** @description IANA time zone */
                timezone: string;
                /** @description Days of the week on which it recurs */
                weekdays: components["schemas"]["Weekday"][];
                /** @description How many dates, exceptions included; absent with `until` */
                count?: number;
                /** @description Last possible local date; absent with `count` */
                until?: components["schemas"]["CalendarDate"];
                /** @description Local dates that are left out */
                except: components["schemas"]["CalendarDate"][];
            };
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description How many places it has */
            capacity: number;
            /** @description Levels for which it is; empty for all */
            levels: components["schemas"]["SwimmingLevel"][];
            /** @description Youngest age on the date of the lesson; null for no limit */
            min_age_years: number | null;
            /** @description Oldest age on the date of the lesson; null for no limit */
            max_age_years: number | null;
            /** @description Price in minor units; 0 outside a booking */
            price_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description State of the object */
            status: components["schemas"]["ClassStatus"];
            /** @description How many places are free: neither booked, nor held or offered */
            places_left: number | null;
            /**
             * Format: date-time
             * @description When the next lesson begins; null where none is to come
             * @example 2027-03-01T16:00:00.000Z
             */
            next_lesson_at: string | null;
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
            /** @description What became of its lessons to come; absent where nothing was sent that differs */
            changes?: {
                /** @description Lessons that were changed */
                changed: components["schemas"]["id_lsn"][];
                /** @description Lessons that were made, which are in no enrollment */
                added: components["schemas"]["id_lsn"][];
                /** @description Lessons that were cancelled as by the school */
                cancelled: components["schemas"]["id_lsn"][];
                /** @description Lessons that could not be changed, and dates that got no lesson */
                skipped: {
                    /** @description The lesson; null for a date that has none */
                    lesson_id: string | null;
                    /** @description Start, an instant */
                    date: components["schemas"]["Timestamp"];
                    /** @description Why it is as before, such as `instructor_busy` */
                    reason: string;
                }[];
            };
        };
        CloseClass: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "class";
            /** @description Identifier */
            id: components["schemas"]["id_cls"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description Name */
            name: string;
            /** @description What the school says about it */
            description: string | null;
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description Where the session takes place; the first pool of the instructor by default */
            location: {
                /** @description Kind of place */
                type: string;
                /** @description The pool; required when `type` is `pool` */
                pool_id: string | null;
            } | null;
            /** @description A rule that is expanded in wall-clock time, instead of `sessions` */
            recurrence: {
                /** @description Earliest date and local time of its lessons */
                start_local: string;
                /** @description IANA time zone */
                timezone: string;
                /** @description Days of the week on which it recurs */
                weekdays: components["schemas"]["Weekday"][];
                /** @description How many dates, exceptions included; absent with `until` */
                count?: number;
                /** @description Last possible local date; absent with `count` */
                until?: components["schemas"]["CalendarDate"];
                /** @description Local dates that are left out */
                except: components["schemas"]["CalendarDate"][];
            };
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description How many places it has */
            capacity: number;
            /** @description Levels for which it is; empty for all */
            levels: components["schemas"]["SwimmingLevel"][];
            /** @description Youngest age on the date of the lesson; null for no limit */
            min_age_years: number | null;
            /** @description Oldest age on the date of the lesson; null for no limit */
            max_age_years: number | null;
            /** @description Price in minor units; 0 outside a booking */
            price_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description State of the object */
            status: components["schemas"]["ClassStatus"];
            /** @description How many places are free: neither booked, nor held or offered */
            places_left: number | null;
            /**
             * Format: date-time
             * @description When the next lesson begins; null where none is to come
             * @example 2027-03-01T16:00:00.000Z
             */
            next_lesson_at: string | null;
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
            /** @description What became of its lessons to come; absent where nothing was sent that differs */
            changes?: {
                /** @description Lessons that were changed */
                changed: components["schemas"]["id_lsn"][];
                /** @description Lessons that were made, which are in no enrollment */
                added: components["schemas"]["id_lsn"][];
                /** @description Lessons that were cancelled as by the school */
                cancelled: components["schemas"]["id_lsn"][];
                /** @description Lessons that could not be changed, and dates that got no lesson */
                skipped: {
                    /** @description The lesson; null for a date that has none */
                    lesson_id: string | null;
                    /** @description Start, an instant */
                    date: components["schemas"]["Timestamp"];
                    /** @description Why it is as before, such as `instructor_busy` */
                    reason: string;
                }[];
            };
        };
        Closure: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "closure";
            /** @description Identifier */
            id: components["schemas"]["id_clo"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The pools that are closed */
            pool_ids: components["schemas"]["id_pool"][];
            /** @description The instructors who give no lessons */
            instructor_ids: components["schemas"]["id_ins"][];
            /** @description The first instant that is closed */
            from: components["schemas"]["Timestamp"];
            /** @description The first instant that is not closed any more */
            to: components["schemas"]["Timestamp"];
            /** @description Why it is closed */
            reason: string;
            /** @description `running`: lessons are still being cancelled. The time is closed from the start */
            status: components["schemas"]["ClosureStatus"];
            /** @description How many lessons overlapped the time when it was closed */
            lessons: number;
            /** @description How many sessions these lessons had */
            sessions: number;
            /** @description How many sessions are cancelled so far */
            cancelled: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        CreateSubstitution: {
            /** @description The lessons that the substitute has taken over */
            moved: components["schemas"]["id_lsn"][];
            /** @description The lessons that the substitute cannot take over */
            skipped: {
                /** @description The lesson that it is a place in */
                lesson_id: components["schemas"]["id_lsn"];
                /** @description Why the substitute cannot take it over, such as `instructor_busy` */
                reason: string;
            }[];
        };
        ListedInstructor: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "instructor";
            /** @description Identifier */
            id: components["schemas"]["id_ins"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description Name */
            name: string;
            /** @description E-mail address */
            email: components["schemas"]["EmailAddress"];
            /** @description Phone number in E.164 */
            phone: string | null;
            /** @description Introduction of the instructor */
            bio: string | null;
            /** @description Address of a photo; null for none */
            photo_url: string | null;
            /** @description IANA time zone */
            timezone: string;
            /** @description Certificates of the instructor; expired ones never match a search */
            certifications: {
                /** @description Name of the certificate */
                type: string;
                /** @description Organization that issued the certificate */
                issuer: string | null;
                /**
                 * Format: date
                 * @description Date of issue, YYYY-MM-DD
                 * @example 2027-03-01
                 */
                issued_at: string | null;
                /**
                 * Format: date
                 * @description Last date of validity; null for ever
                 * @example 2027-03-01
                 */
                expires_at: string | null;
                /** @description Whether the operator has seen the certificate */
                verified: boolean;
            }[];
            /** @description The published hours, as local wall-clock rules in the zone of the instructor */
            availability_schedule: components["schemas"]["AvailabilitySchedule"];
            /** @description Where the instructor teaches */
            service_areas: {
                /** @description Name */
                name: string;
                /** @description Degrees north */
                latitude: number;
                /** @description Degrees east */
                longitude: number;
                /** @description How far from the centre lessons are given, in kilometres; a search finds no place beyond */
                radius_km: number;
                /** @description Pools in which the instructor teaches there */
                pool_ids: components["schemas"]["id_pool"][];
            }[];
            /** @description What the reviews say together */
            rating: {
                /** @description Average stars; null without reviews */
                average: number | null;
                /** @description Number of reviews */
                count: number;
            };
            /** @description The newest reviews; only with `expand=reviews` in lists */
            reviews?: {
                /**
                 * @description The kind of object
                 * @constant
                 */
                object: "review";
                /** @description Identifier */
                id: components["schemas"]["id_rev"];
                /** @description From 1 to 5 */
                stars: number;
                /** @description Text of the review; null for none */
                comment: string | null;
                /** @description When it was made */
                created_at: components["schemas"]["Timestamp"];
            }[];
            /** @description Price of an hour for each member, in minor units */
            hourly_rate_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description Most members of one session */
            max_group_size: number;
            /** @description Levels that the instructor teaches */
            levels_taught: components["schemas"]["SwimmingLevel"][];
            /** @description Languages of lessons, as BCP 47 tags */
            languages: string[];
            /** @description State of the object */
            status: components["schemas"]["InstructorStatus"];
            /**
             * @description Data of the client's own, as the client has set it
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
            /** @description Distance to the nearest centre of a service area in which the place lies; only in a search by place */
            distance_km?: number;
        };
        Availability: {
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description IANA time zone */
            timezone: string;
            /** @description The published hours from which the slots follow */
            schedule: components["schemas"]["PublishedSchedule"];
            /** @description Free times, each of which can be booked as it stands */
            slots: {
                /** @description Start */
                start: components["schemas"]["Timestamp"];
                /** @description End */
                end: components["schemas"]["Timestamp"];
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
                /** @description Length in minutes */
                duration_minutes: number;
            }[];
        };
        CalendarToken: {
            /** @description The secret of the feed; shown once */
            token: string | null;
            /** @description The address of the feed, to be pasted into a calendar program; anyone who has it can read the feed */
            url: string | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
        };
        AvailableSlot: {
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description Start, an instant */
            date: components["schemas"]["Timestamp"];
            /** @description End, an instant */
            end_date: components["schemas"]["Timestamp"];
            /** @description Length in minutes */
            duration_minutes: number;
        };
        Me: {
            /** @description The account of the API key, or the exported account */
            account: components["schemas"]["Account"];
            /** @description The API key of the request */
            key: components["schemas"]["ApiKey"];
        };
        AccountExport: {
            /** @description The account of the API key, or the exported account */
            account: components["schemas"]["Account"];
            /** @description Its API keys, without their texts */
            keys?: components["schemas"]["ApiKey"][];
            /** @description Its members */
            members?: components["schemas"]["Member"][];
            /** @description Progress of its members */
            progress?: components["schemas"]["Progress"][];
            /** @description Its connections */
            connections?: components["schemas"]["Connection"][];
            /** @description Each has its first 100 errors; GET /imports/{import_id} answers all */
            imports?: components["schemas"]["DataImport"][];
            /** @description Its instructors */
            instructors?: components["schemas"]["Instructor"][];
            /** @description The newest reviews; only with `expand=reviews` in lists */
            reviews?: components["schemas"]["Review"][];
            /** @description Its pools */
            pools?: components["schemas"]["Pool"][];
            /** @description Its classes */
            classes?: components["schemas"]["SwimClass"][];
            /** @description Its lessons */
            lessons?: components["schemas"]["Lesson"][];
            /** @description The sessions */
            sessions?: components["schemas"]["Session"][];
            /** @description Its holds */
            holds?: components["schemas"]["Hold"][];
            /** @description Its waitlist entries */
            waitlist?: components["schemas"]["WaitlistEntry"][];
            /** @description Its bookings */
            bookings?: components["schemas"]["Booking"][];
            /** @description Its enrollments */
            enrollments?: components["schemas"]["Enrollment"][];
            /** @description Its makeup credits */
            credits?: components["schemas"]["Credit"][];
            /** @description Its payment methods */
            payment_methods?: components["schemas"]["PaymentMethod"][];
            /** @description Its payments */
            payments?: components["schemas"]["Payment"][];
            /** @description Refunds of its payments */
            refunds?: components["schemas"]["Refund"][];
            /** @description Who read or changed its members */
            access_log?: components["schemas"]["AccessEntry"][];
            /** @description Users of the dashboard; in live only */
            users?: components["schemas"]["DashboardUser"][];
            /** @description Invitations of users of the dashboard that were not accepted yet; in live only */
            invitations?: components["schemas"]["Invitation"][];
            /** @description What the users of the dashboard did, newest first; in live only */
            activity?: components["schemas"]["ActivityEntry"][];
            /** @description Its events */
            events?: components["schemas"]["AccountEvent"][];
            /** @description Requests of its keys and users within the last seven days */
            requests?: components["schemas"]["RequestLogEntry"][];
            /** @description E-mails to it, without their texts */
            messages?: components["schemas"]["Message"][];
            /** @description Kinds of e-mail that its recipients have ended */
            ended_subscriptions?: components["schemas"]["EndedSubscription"][];
            /** @description Its webhook endpoints */
            webhook_endpoints?: components["schemas"]["WebhookEndpoint"][];
            /** @description Deliveries to its webhook endpoints */
            webhook_deliveries?: components["schemas"]["WebhookDelivery"][];
        };
        EraseAccount: {
            /** @description When the erasure begins, ISO 8601 UTC; until then the account can be restored */
            erases_at: components["schemas"]["Timestamp"];
        };
        ApiKeyWithText: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "api_key";
            /** @description Identifier */
            id: components["schemas"]["id_key"];
            /** @description Name */
            name: string;
            /** @description What the key may read and write */
            scopes: components["schemas"]["Scope"][];
            /** @description Addresses and networks (CIDR) from which the key is accepted; empty for all */
            ip_allowlist: string[];
            /** @description Last four characters */
            last4: string;
            /** @description State of the object */
            status: components["schemas"]["KeyStatus"];
            /**
             * Format: date-time
             * @description When it ends; null for never
             * @example 2027-03-01T16:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used; null for never
             * @example 2027-03-01T16:00:00.000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null for never
             * @example 2027-03-01T16:00:00.000Z
             */
            revoked_at: string | null;
            /** @description The key that replaced it; null for none */
            replaced_by: string | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was made, changed, rolled or revoked last; using it is no change */
            updated_at: components["schemas"]["Timestamp"];
            /** @description What to send as the Bearer token. Shown this once; null in a dry run */
            key: string | null;
        };
        Family: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "family";
            /** @description The account of the family */
            account_id: components["schemas"]["id_acct"];
            /** @description Name of the account; null once it is erased */
            name: string | null;
            /**
             * Format: email
             * @description E-mail address of the account; null once it is erased
             * @example mia@example.com
             */
            email: string | null;
            /** @description Whether somebody of the family owns the account */
            claimed: boolean;
            /** @description The members that its connection with the school names */
            member_ids: components["schemas"]["id_mem"][];
            /** @description By currency; empty where nothing is due, null to a key without the scope `payments:read` */
            due: {
                /** @description ISO 4217 code in upper case */
                currency: string;
                /** @description What is due on bookings with the school, in minor units */
                cents: number;
                /** @description What of it is for lessons that have begun, and for fees */
                overdue_cents: number;
            }[] | null;
            /**
             * Format: date-time
             * @description Since when the oldest part is overdue: the start of the lesson, or when a fee arose. Payments cover the oldest first. Null while nothing is overdue, and without the scope `payments:read`
             * @example 2027-03-01T16:00:00.000Z
             */
            oldest_due_at: string | null;
        };
        CreatedFamily: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "new_family";
            /** @description The account of the family */
            account_id: components["schemas"]["id_acct"];
            /** @description Its connection with the school, which names the members */
            connection_id: components["schemas"]["id_con"];
            /** @description Name */
            name: string;
            /** @description E-mail address */
            email: components["schemas"]["EmailAddress"];
            /** @description Language of e-mails */
            locale: components["schemas"]["Language"];
            /** @description Whether somebody of the family owns the account */
            claimed: boolean;
            /** @description Id of the school for it; null without one */
            external_id: string | null;
            /** @description The members, in the order of the request */
            member_ids: components["schemas"]["id_mem"][];
            /** @description Its members */
            members: {
                /**
                 * @description The kind of object
                 * @constant
                 */
                object: "member";
                /** @description Identifier */
                id: components["schemas"]["id_mem"];
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
                /** @description Name */
                name: string;
                /** @description Date of birth, YYYY-MM-DD */
                date_of_birth: components["schemas"]["CalendarDate"];
                /** @description Level of the member, of the six of the American Red Cross */
                swimming_level: components["schemas"]["SwimmingLevel"];
                /** @description Null to a key without the scope `members:medical` */
                medical_notes: string | null;
                /** @description Who is called in an emergency; encrypted at rest, in no event */
                emergency_contact: components["schemas"]["EmergencyContact"] | null;
                /**
                 * @description Of the client's own account; empty to a school that may read the member
                 * @example {
                 *       "crm_id": "4711"
                 *     }
                 */
                metadata: {
                    [key: string]: string;
                };
                /** @description When it was made */
                created_at: components["schemas"]["Timestamp"];
                /** @description When it was last changed */
                updated_at: components["schemas"]["Timestamp"];
                /** @description Id of the school for it; null without one */
                external_id: string | null;
            }[];
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
        };
        FamilyDetails: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "family";
            /** @description The account of the family */
            account_id: components["schemas"]["id_acct"];
            /** @description Name of the account; null once it is erased */
            name: string | null;
            /**
             * Format: email
             * @description E-mail address of the account; null once it is erased
             * @example mia@example.com
             */
            email: string | null;
            /** @description Whether somebody of the family owns the account */
            claimed: boolean;
            /** @description The members that its connection with the school names */
            member_ids: components["schemas"]["id_mem"][];
            /** @description By currency; empty where nothing is due, null to a key without the scope `payments:read` */
            due: {
                /** @description ISO 4217 code in upper case */
                currency: string;
                /** @description What is due on bookings with the school, in minor units */
                cents: number;
                /** @description What of it is for lessons that have begun, and for fees */
                overdue_cents: number;
            }[] | null;
            /**
             * Format: date-time
             * @description Since when the oldest part is overdue: the start of the lesson, or when a fee arose. Payments cover the oldest first. Null while nothing is overdue, and without the scope `payments:read`
             * @example 2027-03-01T16:00:00.000Z
             */
            oldest_due_at: string | null;
            /**
             * Format: date-time
             * @description When the school last invited it to claim the account; null where it never did
             * @example 2027-03-01T16:00:00.000Z
             */
            invited_at: string | null;
            /**
             * Format: date-time
             * @description When it claimed the account that the school made; null for any other account
             * @example 2027-03-01T16:00:00.000Z
             */
            claimed_at: string | null;
            /** @description For the bookings on which something is due and which the family lets the school charge, at most 100; null to a key without the scope `payments:read` */
            consents: {
                /** @description The booking to which it belongs */
                booking_id: components["schemas"]["id_bkg"];
                /** @description ISO 4217 code in upper case */
                currency: string;
                /** @description What the family has agreed to be charged for the booking, with its fees */
                agreed_cents: number;
                /** @description What is paid of it, or being paid */
                used_cents: number;
                /** @description What the school may still charge without the family */
                left_cents: number;
            }[] | null;
        };
        InviteFamily: {
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description Until when the link is valid */
            expires_at: components["schemas"]["Timestamp"];
        };
        QuoteBookingCancellation: {
            /** @description The booking to which it belongs */
            booking_id: components["schemas"]["id_bkg"];
            /** @description Until when a cancellation has no fee */
            free_until: components["schemas"]["Timestamp"];
            /** @description Fee that is kept, in minor units */
            fee_cents: number;
            /** @description What is given back, in minor units */
            refund_cents: number;
            /** @description What goes back to the makeup credit, in minor units */
            credit_returned_cents: number;
            /** @description Whether a makeup credit is, or can be, given instead of a refund */
            makeup_credit: boolean;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description The sessions */
            sessions: components["schemas"]["CancellationQuote"][];
        };
        Statement: {
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The month, YYYY-MM */
            month: string;
            /** @description IANA time zone */
            timezone: string;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description The days with lessons or movements of money */
            days: {
                /** @description Local date in the zone of the school */
                date: components["schemas"]["CalendarDate"];
                /** @description Lessons that were given: completed, and neither missed nor excused */
                lessons: number;
                /** @description What payments charged, and what the school recorded */
                charged_cents: number;
                /** @description The same by how it was paid */
                charged_by_method: {
                    /** @description By cards */
                    card: number;
                    /** @description Recorded: in cash */
                    cash: number;
                    /** @description Recorded: by a transfer */
                    transfer: number;
                    /** @description Recorded: at a card terminal */
                    terminal: number;
                    /** @description Recorded: by a voucher */
                    voucher: number;
                };
                /** @description What went back by refunds, recorded ones too, and lost disputes */
                refunded_cents: number;
                /** @description Fees kept of cancelled and missed lessons; negative where one was corrected */
                fees_cents: number;
                /** @description Makeup credits that were given */
                credits_issued_cents: number;
                /** @description What makeup credits paid, less what went back to them; negative where more went back */
                credits_spent_cents: number;
            }[];
            /** @description Sums of the days */
            totals: {
                /** @description Lessons that were given: completed, and neither missed nor excused */
                lessons: number;
                /** @description What payments charged, and what the school recorded */
                charged_cents: number;
                /** @description The same by how it was paid */
                charged_by_method: {
                    /** @description By cards */
                    card: number;
                    /** @description Recorded: in cash */
                    cash: number;
                    /** @description Recorded: by a transfer */
                    transfer: number;
                    /** @description Recorded: at a card terminal */
                    terminal: number;
                    /** @description Recorded: by a voucher */
                    voucher: number;
                };
                /** @description What went back by refunds, recorded ones too, and lost disputes */
                refunded_cents: number;
                /** @description Fees kept of cancelled and missed lessons; negative where one was corrected */
                fees_cents: number;
                /** @description Makeup credits that were given */
                credits_issued_cents: number;
                /** @description What makeup credits paid, less what went back to them; negative where more went back */
                credits_spent_cents: number;
            };
        };
        SetUpPaymentMethod: {
            /** @description For the browser library of the processor */
            client_secret: string | null;
        };
        Usage: {
            /** @description Beginning of the first hour */
            date_from: components["schemas"]["Timestamp"];
            /** @description End of the last hour */
            date_to: components["schemas"]["Timestamp"];
            /** @description The limits in force; all keys of the account share them in each environment */
            limits: components["schemas"]["UsageLimits"];
            /** @description The sums of all hours */
            totals: components["schemas"]["RequestCounts"];
            /** @description Every clock hour of the range, ascending, also those without a request */
            hours: components["schemas"]["UsageHour"][];
        };
        WebhookEndpointWithSecret: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "webhook_endpoint";
            /** @description Identifier */
            id: components["schemas"]["id_whe"];
            /** @description Address */
            url: string;
            /** @description Types of events that it receives */
            events: string[];
            /** @description Description of your own */
            description: string | null;
            /** @description Whether events are sent to it */
            enabled: boolean;
            /** @description Why the service disabled it: `gone` after an answer of 410, `failing` after five days in a row on each of which tries failed and none succeeded. Null otherwise */
            disabled_reason: components["schemas"]["WebhookDisabledReason"] | null;
            /** @description Keys and values of your own */
            metadata: {
                [key: string]: string;
            };
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
            /**
             * @description `whsec_` and 32 bytes in base64. Shown this once; null in a dry run
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret: string | null;
        };
        ReplayWebhookEvents: {
            /** @description How many events are delivered again */
            replayed: number;
        };
        WebhookDeliveryWithRequest: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "webhook_delivery";
            /** @description Identifier */
            id: components["schemas"]["id_dlv"];
            /** @description The webhook endpoint */
            webhook_endpoint_id: components["schemas"]["id_whe"];
            /** @description The event that is delivered */
            event_id: components["schemas"]["id_evt"];
            /** @description Type */
            type: string;
            /** @description State of the object */
            status: components["schemas"]["WebhookDeliveryState"];
            /** @description Oldest first */
            attempts: {
                /** @description When it was tried */
                at: components["schemas"]["Timestamp"];
                /** @description Null when no answer came */
                status_code: number | null;
                /** @description How long the try took, in milliseconds */
                duration_ms: number;
                /** @description Why the try failed; null after an answer of 2xx */
                error: string | null;
                /** @description At most the first 16 KiB of the answer */
                response_body: string | null;
            }[];
            /**
             * Format: date-time
             * @description When the next try is due; null when none is
             * @example 2027-03-01T16:00:00.000Z
             */
            next_attempt_at: string | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was made, its latest try was recorded, or it was made due again */
            updated_at: components["schemas"]["Timestamp"];
            /** @description At most the first 16 KiB; null when the event is no longer kept, and without the scope `events:read` */
            request_body: string | null;
        };
        SandboxClock: {
            /** @description What the clock of the account shows, ISO 8601 UTC; it runs as fast as real time */
            now: components["schemas"]["Timestamp"];
            /**
             * @description How far the clock is ahead of real time, in whole seconds; 0 until it is first advanced
             * @example 432000
             */
            offset_seconds: number;
            /** @description Whether an advance is in progress. Until it has ended, `now` grows towards its `advance_to` */
            advancing: boolean;
            /** @description Whether a reset is in progress. Until it has ended, objects from before it may still be listed */
            resetting: boolean;
        };
        ClaimSandboxFamily: {
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description What to send as the Bearer token of the family. Shown this once; null in a dry run */
            key: string | null;
        };
        ReceiveStripeWebhook: {
            /** @description The webhook is stored or concerns nothing of this product */
            received: boolean;
        };
        SessionEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "session";
            /** @description Identifier */
            id: components["schemas"]["id_ses"];
            /** @description The account of the member, regardless of who made the session */
            account_id: components["schemas"]["id_acct"];
            /** @description The booking to which it belongs; null for none */
            booking_id: string | null;
            /** @description The lesson that it is a place in */
            lesson_id: components["schemas"]["id_lsn"];
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description The member who takes the lesson */
            member_id: components["schemas"]["id_mem"];
            /** @description Start, an instant */
            date: components["schemas"]["Timestamp"];
            /** @description End, an instant */
            end_date: components["schemas"]["Timestamp"];
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description Where the session takes place; the first pool of the instructor by default */
            location: {
                /** @description Kind of place */
                type: string;
                /** @description The pool; required when `type` is `pool` */
                pool_id: string | null;
            } | null;
            /** @description State of the object */
            status: components["schemas"]["SessionStatus"];
            /** @description Whether the member came; final once money followed from it */
            attendance: components["schemas"]["Attendance"];
            /** @description How the session was cancelled; null otherwise */
            cancellation: {
                /** @description When it was cancelled */
                cancelled_at: components["schemas"]["Timestamp"];
                /** @description The account that cancelled it */
                cancelled_by: components["schemas"]["id_acct"];
                /** @description Whether the participants got an e-mail */
                participants_notified: boolean;
                /** @description Whether the free cancellation is over */
                late: boolean;
                /** @description Fee that is kept, in minor units */
                fee_cents: number;
                /** @description The refund that followed; null for none */
                refund_id: string | null;
                /** @description Whether a makeup credit is, or can be, given instead of a refund */
                makeup_credit: string | null;
            } | null;
            /** @description Price in minor units; 0 outside a booking */
            price_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        LessonEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "lesson";
            /** @description Identifier */
            id: components["schemas"]["id_lsn"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The class that it belongs to; null for none */
            class_id: string | null;
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description Where the session takes place; the first pool of the instructor by default */
            location: {
                /** @description Kind of place */
                type: string;
                /** @description The pool; required when `type` is `pool` */
                pool_id: string | null;
            } | null;
            /** @description Start, an instant */
            date: components["schemas"]["Timestamp"];
            /** @description End, an instant */
            end_date: components["schemas"]["Timestamp"];
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description How many places it has */
            capacity: number;
            /** @description How many places are free: neither booked, nor held or offered */
            places_left: number;
            /** @description Whether every account sees it, and families can book its places */
            bookable: boolean;
            /** @description Levels for which it is; empty for all */
            levels: components["schemas"]["SwimmingLevel"][];
            /** @description Youngest age on the date of the lesson; null for no limit */
            min_age_years: number | null;
            /** @description Oldest age on the date of the lesson; null for no limit */
            max_age_years: number | null;
            /** @description Price in minor units; 0 outside a booking */
            price_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description State of the object */
            status: components["schemas"]["SessionStatus"];
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        ClassEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "class";
            /** @description Identifier */
            id: components["schemas"]["id_cls"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description Where the session takes place; the first pool of the instructor by default */
            location: {
                /** @description Kind of place */
                type: string;
                /** @description The pool; required when `type` is `pool` */
                pool_id: string | null;
            } | null;
            /** @description A rule that is expanded in wall-clock time, instead of `sessions` */
            recurrence: {
                /** @description Earliest date and local time of its lessons */
                start_local: string;
                /** @description IANA time zone */
                timezone: string;
                /** @description Days of the week on which it recurs */
                weekdays: components["schemas"]["Weekday"][];
                /** @description How many dates, exceptions included; absent with `until` */
                count?: number;
                /** @description Last possible local date; absent with `count` */
                until?: components["schemas"]["CalendarDate"];
                /** @description Local dates that are left out */
                except: components["schemas"]["CalendarDate"][];
            };
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description How many places it has */
            capacity: number;
            /** @description Levels for which it is; empty for all */
            levels: components["schemas"]["SwimmingLevel"][];
            /** @description Youngest age on the date of the lesson; null for no limit */
            min_age_years: number | null;
            /** @description Oldest age on the date of the lesson; null for no limit */
            max_age_years: number | null;
            /** @description Price in minor units; 0 outside a booking */
            price_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description State of the object */
            status: components["schemas"]["ClassStatus"];
            /** @description How many places are free: neither booked, nor held or offered */
            places_left: number | null;
            /**
             * Format: date-time
             * @description When the next lesson begins; null where none is to come
             * @example 2027-03-01T16:00:00.000Z
             */
            next_lesson_at: string | null;
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        ClosureEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "closure";
            /** @description Identifier */
            id: components["schemas"]["id_clo"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The pools that are closed */
            pool_ids: components["schemas"]["id_pool"][];
            /** @description The instructors who give no lessons */
            instructor_ids: components["schemas"]["id_ins"][];
            /** @description The first instant that is closed */
            from: components["schemas"]["Timestamp"];
            /** @description The first instant that is not closed any more */
            to: components["schemas"]["Timestamp"];
            /** @description `running`: lessons are still being cancelled. The time is closed from the start */
            status: components["schemas"]["ClosureStatus"];
            /** @description How many lessons overlapped the time when it was closed */
            lessons: number;
            /** @description How many sessions these lessons had */
            sessions: number;
            /** @description How many sessions are cancelled so far */
            cancelled: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        BookingEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "booking";
            /** @description Identifier */
            id: components["schemas"]["id_bkg"];
            /** @description The account of the members, regardless of who made the booking */
            account_id: components["schemas"]["id_acct"];
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description The members who take the lessons, each once */
            member_ids: components["schemas"]["id_mem"][];
            /** @description The sessions in order of date */
            session_ids: components["schemas"]["id_ses"][];
            /** @description The sessions */
            sessions: {
                /** @description Identifier */
                id: components["schemas"]["id_ses"];
                /** @description The lesson that it is a place in */
                lesson_id: components["schemas"]["id_lsn"];
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
                /** @description The member who takes the lesson */
                member_id: components["schemas"]["id_mem"];
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
                /** @description End, an instant */
                end_date: components["schemas"]["Timestamp"];
                /** @description Length in minutes */
                duration_minutes: number;
                /** @description State of the object */
                status: components["schemas"]["SessionStatus"];
                /** @description Grows with each change; send it with PATCH to exclude lost updates */
                version: number;
            }[];
            /** @description The payment method */
            payment_method_id: string | null;
            /** @description The makeup credit that pays for it; null for none */
            makeup_credit_id: string | null;
            /** @description State of the object */
            status: components["schemas"]["BookingStatus"];
            /** @description What of the amount is paid */
            payment_status: components["schemas"]["PaymentStatus"];
            /** @description Price of the sessions that are not cancelled plus the fees kept, in minor units */
            amount_cents: number;
            /** @description Money that was charged less what was refunded, in minor units; `amount_credited_cents` is not part of it */
            amount_paid_cents: number;
            /** @description What a makeup credit has paid, in minor units */
            amount_credited_cents: number;
            /** @description What is left to pay, in minor units; never below 0 */
            amount_due_cents: number;
            /** @description What the school has to return of payments that it recorded, in minor units */
            amount_to_return_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description Dates that were not free, and left out */
            skipped?: {
                /** @description The lesson that it is a place in */
                lesson_id?: components["schemas"]["id_lsn"];
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
                /** @description Why the date was not free */
                reason: string;
            }[];
            /**
             * Format: date-time
             * @description When an unpaid booking expires; null unless it awaits prepayment, and once only lessons that have begun are left
             * @example 2027-03-01T16:00:00.000Z
             */
            expires_at: string | null;
            /** @description Grows with each change */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        EnrollmentEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "enrollment";
            /** @description Identifier */
            id: components["schemas"]["id_enr"];
            /** @description The class that it belongs to */
            class_id: components["schemas"]["id_cls"];
            /** @description The member who takes the lesson */
            member_id: components["schemas"]["id_mem"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description `pending` until a required prepayment; `ended` with its last date or its booking */
            status: components["schemas"]["EnrollmentStatus"];
            /** @description The first date of its lessons, in the zone of the class */
            starts_on: components["schemas"]["CalendarDate"];
            /**
             * Format: date
             * @description The last date of its lessons; null where it has no end
             * @example 2027-03-01
             */
            ends_on: string | null;
            /** @description The booking to which it belongs */
            booking_id: components["schemas"]["id_bkg"];
            /** @description The lessons that were left out, and why */
            skipped: {
                /** @description The lesson that it is a place in */
                lesson_id: components["schemas"]["id_lsn"];
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
                /** @description Why the date was not free */
                reason: string;
            }[];
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        PaymentEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "payment";
            /** @description Identifier */
            id: components["schemas"]["id_pay"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The booking to which it belongs */
            booking_id: components["schemas"]["id_bkg"];
            /** @description The payment method; null for money that the school recorded */
            payment_method_id: string | null;
            /** @description By what it was paid */
            method: components["schemas"]["PaidBy"];
            /** @description What the school noted with money that it recorded; null for nothing */
            reference: string | null;
            /** @description Amount in minor units of the currency */
            amount_cents: number;
            /** @description What was refunded of it, in minor units */
            refunded_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description State of the object */
            status: components["schemas"]["PaymentState"];
            /** @description Why the payment failed; null otherwise */
            failure_code: string | null;
            /** @description Whether a dispute of the payment is open or lost: it cannot be refunded then */
            disputed: boolean;
            /** @description The dispute of the payment with the bank; null without one */
            dispute: {
                /** @description State of the object */
                status: components["schemas"]["DisputeState"];
                /**
                 * Format: date-time
                 * @description When it was decided; null while it is open
                 * @example 2027-03-01T16:00:00.000Z
                 */
                closed_at: string | null;
            } | null;
            /** @description What the owner of the card has to do; null for nothing */
            next_action: {
                /**
                 * @description What to do
                 * @enum {string}
                 */
                type: "redirect" | "use_processor_sdk";
                /** @description Address at which the owner of the card continues */
                redirect_url: string | null;
                /** @description For the browser library of the processor */
                client_secret: string | null;
            } | null;
            /**
             * @description Data of the client's own, as the client has set it
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        PaymentMethodEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "payment_method";
            /** @description Identifier */
            id: components["schemas"]["id_pm"];
            /** @description Where the method is stored */
            processor: string;
            /** @description Brand of the card */
            brand: string;
            /** @description Last four characters */
            last4: string;
            /** @description Month of expiry, from 1 to 12 */
            exp_month: number;
            /** @description Year of expiry, four digits */
            exp_year: number;
            /** @description Whether it is the default of the account */
            is_default: boolean;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was added, or became or ceased to be the default */
            updated_at: components["schemas"]["Timestamp"];
        };
        MemberEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "member";
            /** @description Identifier */
            id: components["schemas"]["id_mem"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description Level of the member, of the six of the American Red Cross */
            swimming_level: components["schemas"]["SwimmingLevel"];
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        ErasedMemberEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "member";
            /** @description Identifier */
            id: components["schemas"]["id_mem"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description When the personal data were erased */
            erased_at: components["schemas"]["Timestamp"];
        };
        ConnectionEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "connection";
            /** @description Identifier */
            id: components["schemas"]["id_con"];
            /** @description The school */
            school_id: components["schemas"]["id_acct"];
            /** @description The account of the members */
            account_id: components["schemas"]["id_acct"];
            /** @description The members whom the school may read and book while it is active */
            member_ids: components["schemas"]["id_mem"][];
            /** @description State of the object */
            status: components["schemas"]["ConnectionStatus"];
            /** @description By what it was made */
            origin: components["schemas"]["ConnectionOrigin"];
            /** @description Id of the school for the account */
            external_id: string | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When it ended; null while it is active
             * @example 2027-03-01T16:00:00.000Z
             */
            ended_at: string | null;
            /** @description Who ended it; `time`: nothing of the account for 365 days. Null while it is active */
            ended_by: components["schemas"]["ConnectionSide"] | null;
        };
        InstructorEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "instructor";
            /** @description Identifier */
            id: components["schemas"]["id_ins"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description IANA time zone */
            timezone: string;
            /** @description Certificates of the instructor; expired ones never match a search */
            certifications: {
                /** @description Name of the certificate */
                type: string;
                /** @description Organization that issued the certificate */
                issuer: string | null;
                /**
                 * Format: date
                 * @description Date of issue, YYYY-MM-DD
                 * @example 2027-03-01
                 */
                issued_at: string | null;
                /**
                 * Format: date
                 * @description Last date of validity; null for ever
                 * @example 2027-03-01
                 */
                expires_at: string | null;
                /** @description Whether the operator has seen the certificate */
                verified: boolean;
            }[];
            /** @description The published hours, as local wall-clock rules in the zone of the instructor */
            availability_schedule: components["schemas"]["AvailabilitySchedule"];
            /** @description Where the instructor teaches */
            service_areas: {
                /** @description Name */
                name: string;
                /** @description Degrees north */
                latitude: number;
                /** @description Degrees east */
                longitude: number;
                /** @description How far from the centre lessons are given, in kilometres; a search finds no place beyond */
                radius_km: number;
                /** @description Pools in which the instructor teaches there */
                pool_ids: components["schemas"]["id_pool"][];
            }[];
            /** @description What the reviews say together */
            rating: {
                /** @description Average stars; null without reviews */
                average: number | null;
                /** @description Number of reviews */
                count: number;
            };
            /** @description Price of an hour for each member, in minor units */
            hourly_rate_cents: number;
            /** @description ISO 4217 code in upper case */
            currency: string;
            /** @description Most members of one session */
            max_group_size: number;
            /** @description Levels that the instructor teaches */
            levels_taught: components["schemas"]["SwimmingLevel"][];
            /** @description Languages of lessons, as BCP 47 tags */
            languages: string[];
            /** @description State of the object */
            status: components["schemas"]["InstructorStatus"];
            /**
             * @description Data of the client's own, as the client has set it
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        ReviewEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "review";
            /** @description Identifier */
            id: components["schemas"]["id_rev"];
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description From 1 to 5 */
            stars: number;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
        };
        WaitlistEntryEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "waitlist_entry";
            /** @description Identifier */
            id: components["schemas"]["id_wl"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /** @description The lesson that it is a place in */
            lesson_id: string | null;
            /** @description The class that it belongs to; null for none */
            class_id: string | null;
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description The member who takes the lesson */
            member_id: components["schemas"]["id_mem"];
            /** @description From this instant on */
            date_from: components["schemas"]["Timestamp"];
            /** @description Before this instant */
            date_to: components["schemas"]["Timestamp"];
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description State of the object */
            status: components["schemas"]["WaitlistStatus"];
            /** @description The time that is offered; null for none */
            offer: {
                /** @description The hold that keeps the offered time */
                hold_id: components["schemas"]["id_hold"];
                /** @description Start, an instant */
                date: components["schemas"]["Timestamp"];
                /** @description End, an instant */
                end_date: components["schemas"]["Timestamp"];
                /** @description When it ends */
                expires_at: components["schemas"]["Timestamp"];
            } | null;
            /** @description The booking to which it belongs; null for none */
            booking_id: string | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        WebhookEndpointEventObject: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "webhook_endpoint";
            /** @description Identifier */
            id: components["schemas"]["id_whe"];
            /** @description Address */
            url: string;
            /** @description Types of events that it receives */
            events: string[];
            /** @description Whether events are sent to it */
            enabled: boolean;
            /** @description Why the service disabled it: `gone` after an answer of 410, `failing` after five days in a row on each of which tries failed and none succeeded. Null otherwise */
            disabled_reason: components["schemas"]["WebhookDisabledReason"] | null;
            /** @description When it was made */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was last changed */
            updated_at: components["schemas"]["Timestamp"];
        };
        SessionCreatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "session.created";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["SessionEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        SessionUpdatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "session.updated";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["SessionEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        SessionRescheduledEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "session.rescheduled";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["SessionEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        SessionCancelledEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "session.cancelled";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["SessionEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        SessionCompletedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "session.completed";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["SessionEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        SessionAttendanceRecordedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "session.attendance_recorded";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["SessionEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        SessionReminderEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "session.reminder";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["SessionEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        LessonCreatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lesson.created";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["LessonEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        LessonUpdatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lesson.updated";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["LessonEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        LessonRescheduledEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lesson.rescheduled";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["LessonEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        LessonCancelledEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lesson.cancelled";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["LessonEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        LessonCompletedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lesson.completed";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["LessonEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        ClassCreatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "class.created";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["ClassEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        ClassUpdatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "class.updated";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["ClassEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        ClassOpenedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "class.opened";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["ClassEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        ClassClosedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "class.closed";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["ClassEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        ClosureCreatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "closure.created";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["ClosureEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        ClosureDoneEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "closure.done";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["ClosureEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        ClosureRemovedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "closure.removed";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["ClosureEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        BookingCreatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "booking.created";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["BookingEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        BookingConfirmedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "booking.confirmed";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["BookingEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        BookingCancelledEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "booking.cancelled";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["BookingEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        BookingCompletedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "booking.completed";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["BookingEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        BookingExpiredEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "booking.expired";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["BookingEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        EnrollmentCreatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "enrollment.created";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["EnrollmentEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        EnrollmentEndedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "enrollment.ended";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["EnrollmentEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        PaymentAuthorizedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payment.authorized";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["PaymentEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        PaymentSucceededEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payment.succeeded";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["PaymentEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        PaymentFailedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payment.failed";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["PaymentEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        PaymentRefundedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payment.refunded";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["PaymentEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        PaymentDisputedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payment.disputed";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["PaymentEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        PaymentDisputeClosedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payment.dispute_closed";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["PaymentEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        PaymentVoidedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payment.voided";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["PaymentEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        PaymentMethodAddedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payment_method.added";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["PaymentMethodEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        PaymentMethodRemovedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payment_method.removed";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["PaymentMethodEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        MemberCreatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "member.created";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["MemberEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        MemberUpdatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "member.updated";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["MemberEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        MemberProgressUpdatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "member.progress_updated";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["MemberEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        MemberLevelAdvancedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "member.level_advanced";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["MemberEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        MemberErasedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "member.erased";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["ErasedMemberEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        ConnectionCreatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "connection.created";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["ConnectionEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        ConnectionEndedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "connection.ended";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["ConnectionEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        InstructorCreatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "instructor.created";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["InstructorEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        InstructorUpdatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "instructor.updated";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["InstructorEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        ReviewCreatedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "review.created";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["ReviewEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        WaitlistJoinedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "waitlist.joined";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["WaitlistEntryEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        WaitlistOfferedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "waitlist.offered";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["WaitlistEntryEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        WaitlistAcceptedEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "waitlist.accepted";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["WaitlistEntryEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        WaitlistExpiredEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "waitlist.expired";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["WaitlistEntryEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        WebhookEndpointDisabledEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook_endpoint.disabled";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Number of the event within the account and environment, without gaps */
            sequence: number;
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The object that changed */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["WebhookEndpointEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        PingEvent: {
            /**
             * @description The kind of object
             * @constant
             */
            object: "event";
            /** @description Identifier */
            id: components["schemas"]["id_evt"];
            /**
             * @description What happened
             * @constant
             */
            type: "ping";
            /** @description When it happened */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The account to which it belongs */
            account_id: components["schemas"]["id_acct"];
            /**
             * @description Version of the API that the event follows
             * @constant
             */
            api_version: "v1";
            /** @description Whether it is live data; false in the sandbox */
            livemode: boolean;
            /** @description The endpoint that is tested */
            data: {
                /** @description The object as GET answers it, without personal data and free text */
                object: components["schemas"]["WebhookEndpointEventObject"];
                /** @description Former values of what an update changed; null for other events */
                previous_attributes: {
                    [key: string]: unknown;
                } | null;
            };
            /** @description The request that caused the event */
            request: components["schemas"]["EventRequest"] | null;
            /** @description The key or the service that caused the change */
            actor: string;
        };
        CreateSessionBody: {
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description The member who takes the lesson */
            member_id: components["schemas"]["id_mem"];
            /** @description ISO 8601 instant; any UTC offset is taken, answers are UTC */
            date: components["schemas"]["SentInstant"];
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description As listed by `GET /availability`; must be `date` plus `duration_minutes` */
            end_date?: components["schemas"]["SentInstant"];
            /** @description Where the session takes place; the first pool of the instructor by default */
            location?: {
                /**
                 * @description Kind of place
                 * @enum {string}
                 */
                type: "pool" | "home" | "open_water";
                /** @description The pool; required when `type` is `pool` */
                pool_id?: string | null;
            };
            /** @description Free text */
            notes?: string | null;
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description Whether the participants get an e-mail
             * @default true
             */
            notify_participants?: boolean;
        };
        UpdateSessionBody: {
            /** @description Another lesson of the same school with a place, into which the session moves; not with another time, instructor or place */
            lesson_id?: components["schemas"]["id_lsn"];
            /** @description ISO 8601 instant; any UTC offset is taken, answers are UTC */
            date?: components["schemas"]["SentInstant"];
            /** @description Length in minutes */
            duration_minutes?: number;
            /** @description Where the session takes place; the first pool of the instructor by default */
            location?: {
                /**
                 * @description Kind of place
                 * @enum {string}
                 */
                type: "pool" | "home" | "open_water";
                /** @description The pool; required when `type` is `pool` */
                pool_id?: string | null;
            };
            /** @description Free text */
            notes?: string | null;
            /** @description The instructor */
            instructor_id?: components["schemas"]["id_ins"];
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500. Keys are merged; null removes one
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string | null;
            };
            /** @description A price other than that of the rate, in minor units; only the school sets one */
            price_cents?: number;
            /** @description Why the school has set the price; null for no reason */
            price_reason?: string | null;
            /** @description Whether the participants get an e-mail */
            notify_participants?: boolean;
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version?: number;
        };
        CancelSessionBody: {
            /** @description Reason given by a person; null for none */
            reason?: string | null;
            /**
             * @description Whether the participants get an e-mail
             * @default true
             */
            notify_participants?: boolean;
            /**
             * @description `credit`: a makeup credit instead of a refund, where the school gives them
             * @default payment_method
             * @enum {string}
             */
            refund_as?: "payment_method" | "credit";
        };
        CompleteSessionBody: Record<string, never>;
        RecordAttendanceBody: {
            /** @description Whether the member came; final once money followed from it */
            attendance: components["schemas"]["Attendance"];
        };
        CreateLessonBody: {
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description ISO 8601 instant; any UTC offset is taken, answers are UTC */
            date: components["schemas"]["SentInstant"];
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description Where the session takes place; the first pool of the instructor by default */
            location?: {
                /**
                 * @description Kind of place
                 * @enum {string}
                 */
                type: "pool" | "home" | "open_water";
                /** @description The pool; required when `type` is `pool` */
                pool_id?: string | null;
            };
            /** @description How many places it has */
            capacity: number;
            /**
             * @description Levels for which it is; empty for all
             * @default []
             */
            levels?: components["schemas"]["SwimmingLevel"][];
            /** @description Youngest age on the date of the lesson; null for no limit */
            min_age_years?: number | null;
            /** @description Oldest age on the date of the lesson; null for no limit */
            max_age_years?: number | null;
            /** @description Price in minor units; 0 outside a booking */
            price_cents: number;
            /**
             * @description Whether every account sees it, and families can book its places
             * @default true
             */
            bookable?: boolean;
            /**
             * @description Whether the lesson may take place outside the published hours of the instructor
             * @default false
             */
            outside_hours?: boolean;
        };
        UpdateLessonBody: {
            /** @description The instructor */
            instructor_id?: components["schemas"]["id_ins"];
            /** @description ISO 8601 instant; any UTC offset is taken, answers are UTC */
            date?: components["schemas"]["SentInstant"];
            /** @description Length in minutes */
            duration_minutes?: number;
            /** @description Where the session takes place; the first pool of the instructor by default */
            location?: {
                /**
                 * @description Kind of place
                 * @enum {string}
                 */
                type: "pool" | "home" | "open_water";
                /** @description The pool; required when `type` is `pool` */
                pool_id?: string | null;
            } | null;
            /** @description How many places it has */
            capacity?: number;
            /** @description Levels for which it is; empty for all */
            levels?: components["schemas"]["SwimmingLevel"][];
            /** @description Youngest age on the date of the lesson; null for no limit */
            min_age_years?: number | null;
            /** @description Oldest age on the date of the lesson; null for no limit */
            max_age_years?: number | null;
            /** @description Price in minor units; 0 outside a booking */
            price_cents?: number;
            /** @description Whether every account sees it, and families can book its places */
            bookable?: boolean;
            /** @description Whether the lesson may take place outside the published hours of the instructor */
            outside_hours?: boolean;
            /** @description Whether the participants get an e-mail */
            notify_participants?: boolean;
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version?: number;
        };
        CancelLessonBody: {
            /** @description Reason given by a person; null for none */
            reason?: string | null;
            /**
             * @description Whether the participants get an e-mail
             * @default true
             */
            notify_participants?: boolean;
            /**
             * @description `credit`: a makeup credit instead of a refund, where the school gives them
             * @default payment_method
             * @enum {string}
             */
            refund_as?: "payment_method" | "credit";
        };
        RecordLessonAttendanceBody: {
            /** @description Who came */
            entries: {
                /** @description The session */
                session_id: components["schemas"]["id_ses"];
                /** @description Whether the member came; final once money followed from it */
                attendance: components["schemas"]["Attendance"];
            }[];
            /** @description When it was noted, at most a minute ahead of the clock of the school; now without it */
            recorded_at?: components["schemas"]["SentInstant"];
        };
        CreateClassBody: {
            /** @description Name */
            name: string;
            /** @description What the school says about it */
            description?: string | null;
            /** @description The instructor */
            instructor_id: components["schemas"]["id_ins"];
            /** @description Where the session takes place; the first pool of the instructor by default */
            location?: {
                /**
                 * @description Kind of place
                 * @enum {string}
                 */
                type: "pool" | "home" | "open_water";
                /** @description The pool; required when `type` is `pool` */
                pool_id?: string | null;
            };
            /** @description A rule that is expanded in wall-clock time, instead of `sessions` */
            recurrence: {
                /**
                 * @description Earliest date and local time of the lessons, YYYY-MM-DDTHH:MM, without offset
                 * @example 2027-03-01T16:00
                 */
                start_local: string;
                /**
                 * @description IANA time zone
                 * @example Europe/Berlin
                 */
                timezone: string;
                /** @description Days of the week on which it recurs */
                weekdays: components["schemas"]["Weekday"][];
                /** @description How many dates, exceptions included. Instead of `until` */
                count?: number;
                /** @description Last possible local date, YYYY-MM-DD. Instead of `count` */
                until?: components["schemas"]["CalendarDate"];
                /**
                 * @description Local dates of the recurrence that are left out
                 * @default []
                 */
                except?: components["schemas"]["CalendarDate"][];
            };
            /** @description Length in minutes */
            duration_minutes: number;
            /** @description How many places it has */
            capacity: number;
            /**
             * @description Levels for which it is; empty for all
             * @default []
             */
            levels?: components["schemas"]["SwimmingLevel"][];
            /** @description Youngest age on the date of the lesson; null for no limit */
            min_age_years?: number | null;
            /** @description Oldest age on the date of the lesson; null for no limit */
            max_age_years?: number | null;
            /** @description Price in minor units; 0 outside a booking */
            price_cents: number;
        };
        UpdateClassBody: {
            /** @description Name */
            name?: string;
            /** @description What the school says about it */
            description?: string | null;
            /** @description The instructor */
            instructor_id?: components["schemas"]["id_ins"];
            /** @description Where the session takes place; the first pool of the instructor by default */
            location?: {
                /**
                 * @description Kind of place
                 * @enum {string}
                 */
                type: "pool" | "home" | "open_water";
                /** @description The pool; required when `type` is `pool` */
                pool_id?: string | null;
            } | null;
            /** @description A rule that is expanded in wall-clock time, instead of `sessions` */
            recurrence?: {
                /**
                 * @description Earliest date and local time of the lessons, YYYY-MM-DDTHH:MM, without offset
                 * @example 2027-03-01T16:00
                 */
                start_local?: string;
                /**
                 * @description IANA time zone
                 * @example Europe/Berlin
                 */
                timezone?: string;
                /** @description Days of the week on which it recurs */
                weekdays?: components["schemas"]["Weekday"][];
                /** @description How many dates, exceptions included. Instead of `until` */
                count?: number;
                /** @description Last possible local date, YYYY-MM-DD. Instead of `count` */
                until?: components["schemas"]["CalendarDate"];
                /** @description Local dates of the recurrence that are left out */
                except?: components["schemas"]["CalendarDate"][];
            };
            /** @description Length in minutes */
            duration_minutes?: number;
            /** @description How many places it has */
            capacity?: number;
            /** @description Levels for which it is; empty for all */
            levels?: components["schemas"]["SwimmingLevel"][];
            /** @description Youngest age on the date of the lesson; null for no limit */
            min_age_years?: number | null;
            /** @description Oldest age on the date of the lesson; null for no limit */
            max_age_years?: number | null;
            /** @description Price in minor units; 0 outside a booking */
            price_cents?: number;
            /** @description Whether the lesson may take place outside the published hours of the instructor */
            outside_hours?: boolean;
            /** @description Whether the participants get an e-mail */
            notify_participants?: boolean;
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version?: number;
        };
        OpenClassBody: {
            /**
             * @description Whether the lesson may take place outside the published hours of the instructor
             * @default false
             */
            outside_hours?: boolean;
        };
        CloseClassBody: {
            /** @description The first date without lessons, in the zone of the class; today without it */
            from?: components["schemas"]["CalendarDate"];
            /** @description Reason given by a person; null for none */
            reason?: string | null;
            /**
             * @description Whether the participants get an e-mail
             * @default true
             */
            notify_participants?: boolean;
            /**
             * @description `credit`: a makeup credit instead of a refund, where the school gives them
             * @default payment_method
             * @enum {string}
             */
            refund_as?: "payment_method" | "credit";
        };
        CreateEnrollmentBody: {
            /** @description The member who takes the lesson */
            member_id: components["schemas"]["id_mem"];
            /** @description The first date, in the zone of the class; without it all that can still be booked */
            starts_on?: components["schemas"]["CalendarDate"];
            /** @description The payment method */
            payment_method_id?: string | null;
            /** @description The makeup credit that pays for it; null for none */
            makeup_credit_id?: string | null;
            /** @description The hold to take over, such as that of an offer of the waitlist, which has its lessons */
            hold_id?: string | null;
            /**
             * @description Whether one date that is not free rejects the booking, or is skipped
             * @default fail
             * @enum {string}
             */
            on_conflict?: "fail" | "skip";
            /**
             * @description Whether the participants get an e-mail
             * @default true
             */
            notify_participants?: boolean;
        };
        CreateClosureBody: {
            /** @description Own pools to close; or `instructor_ids` */
            pool_ids?: components["schemas"]["id_pool"][];
            /** @description Own instructors who give no lessons; or `pool_ids` */
            instructor_ids?: components["schemas"]["id_ins"][];
            /** @description The first instant to close */
            from: components["schemas"]["SentInstant"];
            /** @description The first instant that stays open again */
            to: components["schemas"]["SentInstant"];
            /** @description Why, as those read it who ask for this time */
            reason: string;
            /**
             * @description What happens to lessons that overlap the time
             * @enum {string}
             */
            lessons: "cancel" | "keep";
            /**
             * @description `credit`: a makeup credit instead of a refund, where the school gives them
             * @default original
             * @enum {string}
             */
            refund_as?: "original" | "credit";
            /**
             * @description Whether the participants get an e-mail
             * @default true
             */
            notify_participants?: boolean;
        };
        CreateSubstitutionBody: {
            /** @description The instructor who does not teach */
            instructor_id: components["schemas"]["id_ins"];
            /** @description The instructor who takes over */
            substitute_id: components["schemas"]["id_ins"];
            /** @description The beginning of the time */
            from: components["schemas"]["SentInstant"];
            /** @description The end of the time */
            to: components["schemas"]["SentInstant"];
            /**
             * @description `skip`: leaves the lessons that do not fit with their instructor
             * @default fail
             * @enum {string}
             */
            on_conflict?: "fail" | "skip";
            /**
             * @description Whether the participants get an e-mail
             * @default true
             */
            notify_participants?: boolean;
        };
        CreateInstructorBody: {
            /** @description Name */
            name: string;
            /** @description E-mail address */
            email: components["schemas"]["EmailAddress"];
            /** @description Price of an hour for each member, in minor units */
            hourly_rate_cents: number;
            /**
             * @description Phone number in E.164
             * @example +14155552671
             */
            phone?: string | null;
            /** @description Introduction of the instructor */
            bio?: string | null;
            /**
             * Format: uri
             * @description Address of a photo; null for none
             */
            photo_url?: string | null;
            /**
             * @description IANA time zone
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description Certificates of the instructor; expired ones never match a search */
            certifications?: {
                /** @description Name of the certificate */
                type: string;
                /** @description Organization that issued the certificate */
                issuer?: string | null;
                /**
                 * Format: date
                 * @description Date of issue, YYYY-MM-DD
                 * @example 2027-03-01
                 */
                issued_at?: string | null;
                /**
                 * Format: date
                 * @description Last date of validity; null for ever
                 * @example 2027-03-01
                 */
                expires_at?: string | null;
            }[];
            /** @description Where the instructor teaches */
            service_areas?: {
                /** @description Name */
                name: string;
                /** @description Degrees north */
                latitude: number;
                /** @description Degrees east */
                longitude: number;
                /** @description How far from the centre lessons are given, in kilometres; a search finds no place beyond */
                radius_km: number;
                /**
                 * @description Pools in which the instructor teaches there
                 * @default []
                 */
                pool_ids?: components["schemas"]["id_pool"][];
            }[];
            /**
             * @description ISO 4217 currency code
             * @example USD
             */
            currency?: string;
            /** @description Most members of one session */
            max_group_size?: number;
            /** @description Levels that the instructor teaches */
            levels_taught?: components["schemas"]["SwimmingLevel"][];
            /** @description Languages of lessons, as BCP 47 tags */
            languages?: string[];
            /** @description State of the object */
            status?: components["schemas"]["InstructorStatus"];
            /** @description The published hours, as local wall-clock rules in the zone of the instructor */
            availability_schedule?: {
                /**
                 * @description Windows of each week
                 * @default []
                 */
                weekly?: {
                    /** @description Day of the week */
                    day: components["schemas"]["Weekday"];
                    /** @description Local time HH:MM, 00:00 to 24:00 */
                    start: string;
                    /** @description Local time HH:MM, 00:00 to 24:00 */
                    end: string;
                }[];
                /**
                 * @description Dates on which other hours hold than in the week
                 * @default []
                 */
                overrides?: {
                    /** @description Calendar date YYYY-MM-DD */
                    date: components["schemas"]["CalendarDate"];
                    /** @description Windows of that date */
                    windows?: {
                        /** @description Local time HH:MM, 00:00 to 24:00 */
                        start: string;
                        /** @description Local time HH:MM, 00:00 to 24:00 */
                        end: string;
                    }[];
                    /** @description Whether nothing is free on that date */
                    unavailable?: boolean;
                }[];
                /**
                 * @description Minutes that stay free before each session
                 * @default 0
                 */
                buffer_before_minutes?: number;
                /**
                 * @description Minutes that stay free after each session
                 * @default 0
                 */
                buffer_after_minutes?: number;
                /**
                 * @description How many minutes before its start a session may be booked at the latest
                 * @default 0
                 */
                minimum_notice_minutes?: number;
                /**
                 * @description How many days ahead a session may be booked at most
                 * @default 365
                 */
                maximum_days_ahead?: number;
                /**
                 * @description Minutes from the start of a slot to that of the next
                 * @default 30
                 */
                slot_interval_minutes?: number;
            };
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        UpdateInstructorBody: {
            /** @description Name */
            name?: string;
            /** @description E-mail address */
            email?: components["schemas"]["EmailAddress"];
            /** @description Price of an hour for each member, in minor units */
            hourly_rate_cents?: number;
            /**
             * @description Phone number in E.164
             * @example +14155552671
             */
            phone?: string | null;
            /** @description Introduction of the instructor */
            bio?: string | null;
            /**
             * Format: uri
             * @description Address of a photo; null for none
             */
            photo_url?: string | null;
            /**
             * @description IANA time zone
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description Certificates of the instructor; expired ones never match a search */
            certifications?: {
                /** @description Name of the certificate */
                type: string;
                /** @description Organization that issued the certificate */
                issuer?: string | null;
                /**
                 * Format: date
                 * @description Date of issue, YYYY-MM-DD
                 * @example 2027-03-01
                 */
                issued_at?: string | null;
                /**
                 * Format: date
                 * @description Last date of validity; null for ever
                 * @example 2027-03-01
                 */
                expires_at?: string | null;
            }[];
            /** @description Where the instructor teaches */
            service_areas?: {
                /** @description Name */
                name: string;
                /** @description Degrees north */
                latitude: number;
                /** @description Degrees east */
                longitude: number;
                /** @description How far from the centre lessons are given, in kilometres; a search finds no place beyond */
                radius_km: number;
                /**
                 * @description Pools in which the instructor teaches there
                 * @default []
                 */
                pool_ids?: components["schemas"]["id_pool"][];
            }[];
            /**
             * @description ISO 4217 currency code
             * @example USD
             */
            currency?: string;
            /** @description Most members of one session */
            max_group_size?: number;
            /** @description Levels that the instructor teaches */
            levels_taught?: components["schemas"]["SwimmingLevel"][];
            /** @description Languages of lessons, as BCP 47 tags */
            languages?: string[];
            /** @description State of the object */
            status?: components["schemas"]["InstructorStatus"];
            /** @description The published hours, as local wall-clock rules in the zone of the instructor */
            availability_schedule?: {
                /** @description Windows of each week */
                weekly?: {
                    /** @description Day of the week */
                    day: components["schemas"]["Weekday"];
                    /** @description Local time HH:MM, 00:00 to 24:00 */
                    start: string;
                    /** @description Local time HH:MM, 00:00 to 24:00 */
                    end: string;
                }[];
                /** @description Dates on which other hours hold than in the week */
                overrides?: {
                    /** @description Calendar date YYYY-MM-DD */
                    date: components["schemas"]["CalendarDate"];
                    /** @description Windows of that date */
                    windows?: {
                        /** @description Local time HH:MM, 00:00 to 24:00 */
                        start: string;
                        /** @description Local time HH:MM, 00:00 to 24:00 */
                        end: string;
                    }[];
                    /** @description Whether nothing is free on that date */
                    unavailable?: boolean;
                }[];
                /** @description Minutes that stay free before each session */
                buffer_before_minutes?: number;
                /** @description Minutes that stay free after each session */
                buffer_after_minutes?: number;
                /** @description How many minutes before its start a session may be booked at the latest */
                minimum_notice_minutes?: number;
                /** @description How many days ahead a session may be booked at most */
                maximum_days_ahead?: number;
                /** @description Minutes from the start of a slot to that of the next */
                slot_interval_minutes?: number;
            };
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500. Keys are merged; null removes one
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string | null;
            };
            /** @description Grows with each change; send it with PATCH to exclude lost updates */
            version?: number;
        };
        CreateReviewBody: {
            /** @description The session */
            session_id: components["schemas"]["id_ses"];
            /** @description From 1 to 5 */
            stars: number;
            /** @description Text of the review; null for none */
            comment?: string | null;
        };
        MintInstructorCalendarTokenBody: Record<string, never>;
        MintMemberCalendarTokenBody: Record<string, never>;
        CreatePoolBody: {
            /** @description Name */
            name: string;
            /** @description Postal address */
            address: string;
            /** @description Degrees north */
            latitude: number;
            /** @description Degrees east */
            longitude: number;
            /**
             * @description IANA time zone
             * @example Europe/Berlin
             */
            timezone: string;
            /** @description Groups that may swim at the same time; null for no limit */
            lanes?: number | null;
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        UpdatePoolBody: {
            /** @description Name */
            name?: string;
            /** @description Postal address */
            address?: string;
            /** @description Degrees north */
            latitude?: number;
            /** @description Degrees east */
            longitude?: number;
            /**
             * @description IANA time zone
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description Groups that may swim at the same time; null for no limit */
            lanes?: number | null;
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500. Keys are merged; null removes one
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string | null;
            };
        };
        UpdateAccountBody: {
            /** @description Name */
            name?: string;
            /** @description E-mail address */
            email?: components["schemas"]["EmailAddress"];
            /**
             * @description IANA time zone
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @description Language of e-mails */
            locale?: components["schemas"]["Language"];
            /** @description Rules of a school for all who book with it */
            policies?: {
                /** @description Until how many hours before the start a cancellation has no fee */
                free_cancellation_hours?: number;
                /** @description Part of the price that a late cancellation costs */
                late_fee_percent?: number;
                /** @description Part of the price that a missed session costs */
                no_show_fee_percent?: number;
                /** @description Whether only payment in full confirms a booking */
                require_prepayment?: boolean;
                /** @description Whether sessions are only booked within published hours */
                enforce_availability?: boolean;
                /** @description Whether cancellations may give makeup credits */
                makeup_credits?: boolean;
                /** @description Whether accounts see the progress of their members */
                progress_visible?: boolean;
                /**
                 * @description Link by which e-mails about an offer of the waitlist lead back to the school: an https URL that contains `{waitlist_id}`, `{hold_id}`, `{instructor_id}` or `{member_id}`
                 * @example https://baths.example/offers/{waitlist_id}?hold={hold_id}
                 */
                offer_url_template?: string | null;
            };
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500. Keys are merged; null removes one
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string | null;
            };
        };
        RestoreAccountBody: Record<string, never>;
        CreateKeyBody: {
            /** @description Name */
            name: string;
            /** @description Default: those of the key that makes the request but `members:medical`, `keys:write` and `accounts:erase`, which have to be named */
            scopes?: components["schemas"]["Scope"][];
            /** @description Addresses and networks (CIDR) from which the key is accepted; empty for all */
            ip_allowlist?: string[];
            /** @description When it ends; null for never */
            expires_at?: components["schemas"]["SentInstant"] | null;
        };
        UpdateKeyBody: {
            /** @description Name */
            name?: string;
            /** @description What the key may read and write */
            scopes?: components["schemas"]["Scope"][];
            /** @description Addresses and networks (CIDR) from which the key is accepted; empty for all */
            ip_allowlist?: string[];
        };
        RollKeyBody: {
            /**
             * @description For how many hours the former key stays valid
             * @default 24
             */
            overlap_hours?: number;
        };
        RevokeKeyBody: Record<string, never>;
        CreateMemberBody: {
            /** @description Name */
            name: string;
            /** @description Calendar date YYYY-MM-DD */
            date_of_birth: components["schemas"]["CalendarDate"];
            /**
             * @description Level of the member, of the six of the American Red Cross
             * @default beginner
             */
            swimming_level?: components["schemas"]["SwimmingLevel"];
            /** @description Sending it needs the scope `members:medical`, whatever its value; also in a dry run */
            medical_notes?: string | null;
            /** @description Who is called in an emergency; encrypted at rest, in no event */
            emergency_contact?: {
                /** @description Name */
                name: string;
                /**
                 * @description Phone number in E.164
                 * @example +14155552671
                 */
                phone: string;
                /** @description Relation to the member */
                relationship: string;
            } | null;
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        UpdateMemberBody: {
            /** @description Name */
            name?: string;
            /** @description Calendar date YYYY-MM-DD */
            date_of_birth?: components["schemas"]["CalendarDate"];
            /** @description Level of the member, of the six of the American Red Cross */
            swimming_level?: components["schemas"]["SwimmingLevel"];
            /** @description Sending it needs the scope `members:medical`, whatever its value; also in a dry run */
            medical_notes?: string | null;
            /** @description Who is called in an emergency; encrypted at rest, in no event */
            emergency_contact?: {
                /** @description Name */
                name: string;
                /**
                 * @description Phone number in E.164
                 * @example +14155552671
                 */
                phone: string;
                /** @description Relation to the member */
                relationship: string;
            } | null;
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500. Keys are merged; null removes one
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string | null;
            };
        };
        AssessMemberBody: {
            /** @description Skills of the level, with their state */
            skills: {
                /** @description Stable code of the skill */
                code: string;
                /** @description How well the member masters the skill */
                status: components["schemas"]["SkillStatus"];
            }[];
            /** @description Note on the progress, for the account and the school */
            note?: string | null;
        };
        CreateFamilyBody: {
            /** @description Name */
            name: string;
            /** @description E-mail address */
            email: components["schemas"]["EmailAddress"];
            /** @description Language of e-mails to it; by default that of the school */
            locale?: components["schemas"]["Language"];
            /** @description Id of the school for it, unique among those of the school */
            external_id?: string;
            /** @description Its members */
            members: {
                /** @description Name */
                name: string;
                /** @description Calendar date YYYY-MM-DD */
                date_of_birth: components["schemas"]["CalendarDate"];
                /**
                 * @description Level of the member, of the six of the American Red Cross
                 * @default beginner
                 */
                swimming_level?: components["schemas"]["SwimmingLevel"];
                /** @description Sending it needs the scope `members:medical`, whatever its value; also in a dry run */
                medical_notes?: string | null;
                /** @description Who is called in an emergency; encrypted at rest, in no event */
                emergency_contact?: {
                    /** @description Name */
                    name: string;
                    /**
                     * @description Phone number in E.164
                     * @example +14155552671
                     */
                    phone: string;
                    /** @description Relation to the member */
                    relationship: string;
                } | null;
                /**
                 * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500
                 * @example {
                 *       "crm_id": "4711"
                 *     }
                 */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Id of the school for it, unique among those of the school */
                external_id?: string;
            }[];
        };
        InviteFamilyBody: Record<string, never>;
        CreateImportBody: {
            /** @description What the rows contain */
            kind: components["schemas"]["ImportKind"];
        };
        AddImportRowsBody: {
            /** @description Rows in their order: the first one of an import is row 0 */
            rows: {
                [key: string]: unknown;
            }[];
        };
        RunImportBody: Record<string, never>;
        CreateConnectionBody: {
            /** @description The school */
            school_id: components["schemas"]["id_acct"];
            /** @description Own members whom the school may read and book */
            member_ids: components["schemas"]["id_mem"][];
        };
        UpdateConnectionBody: {
            /** @description The members who take the lessons, each once */
            member_ids?: components["schemas"]["id_mem"][];
            /**
             * @description State of the object
             * @enum {string}
             */
            status?: "active";
            /** @description An id of the school for it */
            external_id?: string | null;
            /** @description Whether the participants get an e-mail */
            notify_participants?: boolean;
        };
        EndConnectionBody: {
            /**
             * @description Whether the participants get an e-mail
             * @default true
             */
            notify_participants?: boolean;
        };
        CreateBookingBody: {
            /** @description The instructor; required without `lesson_ids`, whose first lesson has it */
            instructor_id?: components["schemas"]["id_ins"];
            /** @description The members who take the lessons, each once */
            member_ids: components["schemas"]["id_mem"][];
            /** @description Lessons in which each member gets a place, in place of `sessions` */
            lesson_ids?: components["schemas"]["id_lsn"][];
            /** @description The sessions */
            sessions?: {
                /** @description ISO 8601 instant; any UTC offset is taken, answers are UTC */
                date: components["schemas"]["SentInstant"];
                /** @description Length in minutes */
                duration_minutes: number;
                /** @description A price other than that of the rate, in minor units; only the school sets one */
                price_cents?: number;
                /** @description Why the school sets it */
                price_reason?: string;
            }[];
            /** @description A rule that is expanded in wall-clock time, instead of `sessions` */
            recurrence?: {
                /**
                 * @description Earliest date and local time of the lessons, YYYY-MM-DDTHH:MM, without offset
                 * @example 2027-03-01T16:00
                 */
                start_local: string;
                /**
                 * @description IANA time zone
                 * @example Europe/Berlin
                 */
                timezone: string;
                /** @description Days of the week on which it recurs */
                weekdays: components["schemas"]["Weekday"][];
                /** @description How many dates, exceptions included. Instead of `until` */
                count?: number;
                /** @description Last possible local date, YYYY-MM-DD. Instead of `count` */
                until?: components["schemas"]["CalendarDate"];
                /**
                 * @description Local dates of the recurrence that are left out
                 * @default []
                 */
                except?: components["schemas"]["CalendarDate"][];
                /** @description Length in minutes */
                duration_minutes: number;
                /** @description A price other than that of the rate, in minor units; only the school sets one */
                price_cents?: number;
                /** @description Why the school sets it */
                price_reason?: string;
            };
            /** @description The payment method */
            payment_method_id?: string | null;
            /** @description Free text */
            notes?: string | null;
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /** @description A hold of the same instructor and sessions or lessons, and the same members, which the booking takes over */
            hold_id?: string | null;
            /** @description The makeup credit that pays for it; null for none */
            makeup_credit_id?: string | null;
            /** @description Where the session takes place; the first pool of the instructor by default */
            location?: {
                /**
                 * @description Kind of place
                 * @enum {string}
                 */
                type: "pool" | "home" | "open_water";
                /** @description The pool; required when `type` is `pool` */
                pool_id?: string | null;
            };
            /**
             * @description Whether one date that is not free rejects the booking, or is skipped
             * @default fail
             * @enum {string}
             */
            on_conflict?: "fail" | "skip";
            /**
             * @description Whether the participants get an e-mail
             * @default true
             */
            notify_participants?: boolean;
        };
        UpdateBookingBody: {
            /** @description Free text */
            notes?: string | null;
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500. Keys are merged; null removes one
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string | null;
            };
            /** @description By the family: consents to charges of what the booking costs now, of later additions and fees; null ends that */
            payment_method_id?: string | null;
        };
        CancelBookingBody: {
            /** @description Reason given by a person; null for none */
            reason?: string | null;
            /**
             * @description Whether the participants get an e-mail
             * @default true
             */
            notify_participants?: boolean;
            /**
             * @description `credit`: a makeup credit instead of a refund, where the school gives them
             * @default payment_method
             * @enum {string}
             */
            refund_as?: "payment_method" | "credit";
        };
        EndEnrollmentBody: {
            /** @description The last date of its lessons, in the zone of the class */
            ends_on: components["schemas"]["CalendarDate"];
            /** @description Reason given by a person; null for none */
            reason?: string | null;
            /**
             * @description Whether the participants get an e-mail
             * @default true
             */
            notify_participants?: boolean;
            /**
             * @description `credit`: a makeup credit instead of a refund, where the school gives them
             * @default payment_method
             * @enum {string}
             */
            refund_as?: "payment_method" | "credit";
        };
        CreateHoldBody: {
            /** @description The instructor; required without `lesson_ids`, whose first lesson has it */
            instructor_id?: components["schemas"]["id_ins"];
            /** @description The members who take the lessons, each once */
            member_ids: components["schemas"]["id_mem"][];
            /** @description Lessons in which each member gets a place, in place of `sessions` */
            lesson_ids?: components["schemas"]["id_lsn"][];
            /** @description The sessions */
            sessions?: {
                /** @description ISO 8601 instant; any UTC offset is taken, answers are UTC */
                date: components["schemas"]["SentInstant"];
                /** @description Length in minutes */
                duration_minutes: number;
            }[];
            /** @description Where the session takes place; the first pool of the instructor by default */
            location?: {
                /**
                 * @description Kind of place
                 * @enum {string}
                 */
                type: "pool" | "home" | "open_water";
                /** @description The pool; required when `type` is `pool` */
                pool_id?: string | null;
            };
            /**
             * @description How long the time is held
             * @default 5
             */
            expires_in_minutes?: number;
        };
        JoinWaitlistBody: {
            /** @description A lesson in which a place is awaited, in place of an instructor and a time */
            lesson_id?: components["schemas"]["id_lsn"];
            /** @description A class in all of whose lessons to come a place is awaited, in place of an instructor and a time */
            class_id?: components["schemas"]["id_cls"];
            /** @description The instructor; required without `lesson_id` and `class_id` */
            instructor_id?: components["schemas"]["id_ins"];
            /** @description The member who takes the lesson */
            member_id: components["schemas"]["id_mem"];
            /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
            date_from?: components["schemas"]["SentInstant"];
            /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
            date_to?: components["schemas"]["SentInstant"];
            /** @description Length in minutes */
            duration_minutes?: number;
        };
        AddPaymentMethodBody: {
            /**
             * @description Payment method as the processor names it; never a card number. Live: a card of Stripe that no other customer has. Sandbox: the test cards of Stripe for brands, countries, declines, fraud, disputes and refunds, such as `pm_card_visa`, `pm_card_amex`, `pm_card_chargeCustomerFail` and `pm_card_createDispute`, which is disputed seconds later; those that Stripe does not attach to a customer, such as `pm_card_visa_chargeDeclined`, are declined here; `pm_card_declined` and `pm_card_insufficient_funds` can be added, and are declined when they are charged; `pm_card_requires_action` fails with `authentication_required`; `pm_card_timeout` is `pending`, and succeeds within 30 seconds; `pm_card_refund_fails` succeeds, and its first refund fails; `pm_card_dispute_won` and `pm_card_dispute_lost` are disputed and decided so.
             * @example pm_card_visa
             */
            processor_payment_method_id: string;
            /**
             * @description Whether it is the default of the account
             * @default false
             */
            is_default?: boolean;
        };
        SetUpPaymentMethodBody: Record<string, never>;
        UpdatePaymentMethodBody: {
            /** @description Whether it is the default of the account */
            is_default?: boolean;
        };
        CreatePaymentBody: {
            /** @description The booking that is paid */
            booking_id: components["schemas"]["id_bkg"];
            /** @description The method; required of the account that pays */
            payment_method_id?: components["schemas"]["id_pm"];
            /** @description How the school got money that it records, in place of a payment method */
            method?: components["schemas"]["RecordedMethod"];
            /** @description Only with `method`: the number of a receipt or a transfer */
            reference?: string;
            /** @description Amount in minor units of the currency */
            amount_cents: number;
            /**
             * @description ISO 4217 currency code
             * @example USD
             */
            currency: string;
            /**
             * @description false only authorises the amount: the school captures or voids it later
             * @default true
             */
            capture?: boolean;
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        UpdatePaymentBody: {
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500. Keys are merged; null removes one
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string | null;
            };
        };
        CapturePaymentBody: Record<string, never>;
        VoidPaymentBody: Record<string, never>;
        CreateRefundBody: {
            /** @description Amount in minor units of the currency */
            amount_cents?: number;
            /** @description Why it is refunded */
            reason: string;
        };
        CreateWebhookEndpointBody: {
            /**
             * Format: uri
             * @description Where events are posted; https for live data
             * @example https://example.com/webhooks
             */
            url: string;
            /**
             * @description Types of event that are delivered; `*` for all
             * @default [
             *       "*"
             *     ]
             * @example [
             *       "booking.created"
             *     ]
             */
            events?: components["schemas"]["EventFilter"][];
            /**
             * @description Description of your own
             * @default null
             */
            description?: string | null;
            /**
             * @description Whether events are sent to it
             * @default true
             */
            enabled?: boolean;
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500
             * @default {}
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        UpdateWebhookEndpointBody: {
            /**
             * Format: uri
             * @description Where events are posted; https for live data
             * @example https://example.com/webhooks
             */
            url?: string;
            /**
             * @description Types of event that are delivered; `*` for all
             * @example [
             *       "booking.created"
             *     ]
             */
            events?: components["schemas"]["EventFilter"][];
            /** @description Description of your own */
            description?: string | null;
            /** @description Whether events are sent to it */
            enabled?: boolean;
            /**
             * @description Data of the client's own: at most 50 keys of at most 40 characters, with texts of at most 500. Keys are merged; null removes one
             * @example {
             *       "crm_id": "4711"
             *     }
             */
            metadata?: {
                [key: string]: string | null;
            };
        };
        RotateWebhookSecretBody: Record<string, never>;
        PingWebhookEndpointBody: Record<string, never>;
        ReplayWebhookEventsBody: {
            /** @description Events after this sequence are delivered; at most that of the newest event */
            since_sequence: number;
            /** @description Only events of these types; all by default */
            types?: components["schemas"]["EventType"][];
        };
        RetryWebhookDeliveryBody: Record<string, never>;
        AdvanceSandboxClockBody: {
            /** @description What the clock is to show: after its `now`, and at most 365 days after it */
            advance_to: components["schemas"]["SentInstant"];
        };
        ResetSandboxBody: Record<string, never>;
        AuthenticateSandboxPaymentBody: {
            /**
             * @description Whether the cardholder proves to the bank who he is, or fails to
             * @example succeeded
             * @enum {string}
             */
            outcome: "succeeded" | "failed";
        };
        ClaimSandboxFamilyBody: Record<string, never>;
        SessionListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Session"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        SessionEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Session"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        CancellationQuoteEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["CancellationQuote"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        LessonListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Lesson"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        LessonEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Lesson"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        RecordLessonAttendanceEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["RecordLessonAttendance"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        RosterEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Roster"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        SwimClassListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["SwimClass"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        SwimClassEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["SwimClass"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        UpdateClassEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["UpdateClass"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        CloseClassEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["CloseClass"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        EnrollmentListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Enrollment"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        EnrollmentEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Enrollment"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ClosureListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Closure"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ClosureEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Closure"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        CreateSubstitutionEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["CreateSubstitution"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ListedInstructorListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["ListedInstructor"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        InstructorEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Instructor"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        AvailabilityEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Availability"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ReviewListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Review"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ReviewEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Review"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        CalendarTokenEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["CalendarToken"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        AvailableSlotListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["AvailableSlot"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        PoolListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Pool"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        PoolEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Pool"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        MeEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Me"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        AccountEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Account"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        AccountExportEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["AccountExport"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        EraseAccountEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["EraseAccount"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        MessageListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Message"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        AccessEntryListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["AccessEntry"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ApiKeyListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["ApiKey"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ApiKeyWithTextEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["ApiKeyWithText"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ApiKeyEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["ApiKey"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        MemberListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Member"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        MemberEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Member"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ProgressEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Progress"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        FamilyListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Family"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        CreatedFamilyEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["CreatedFamily"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        FamilyDetailsEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["FamilyDetails"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        InviteFamilyEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["InviteFamily"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        DataImportListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["DataImport"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        DataImportEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["DataImport"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ConnectionListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Connection"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ConnectionEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Connection"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        BookingListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Booking"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        BookingEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Booking"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        QuoteBookingCancellationEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["QuoteBookingCancellation"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        CreditListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Credit"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        StatementEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Statement"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        HoldListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Hold"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        HoldEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Hold"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        WaitlistEntryListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["WaitlistEntry"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        WaitlistEntryEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["WaitlistEntry"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        PaymentMethodListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["PaymentMethod"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        PaymentMethodEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["PaymentMethod"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        SetUpPaymentMethodEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["SetUpPaymentMethod"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        PaymentListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Payment"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        PaymentEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Payment"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        RefundListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Refund"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        RefundEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Refund"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        AccountEventListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["AccountEvent"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        AccountEventEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["AccountEvent"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        RequestLogEntryListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["RequestLogEntry"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        RequestLogEntryEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["RequestLogEntry"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        UsageEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["Usage"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        WebhookEndpointListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        WebhookEndpointWithSecretEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["WebhookEndpointWithSecret"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        WebhookEndpointEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["WebhookEndpoint"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        WebhookDeliveryEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["WebhookDelivery"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ReplayWebhookEventsEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["ReplayWebhookEvents"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        WebhookDeliveryListEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["WebhookDelivery"][];
            /** @description Where the page is in the list */
            pagination: components["schemas"]["Pagination"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        WebhookDeliveryWithRequestEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["WebhookDeliveryWithRequest"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        SandboxClockEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["SandboxClock"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ClaimSandboxFamilyEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["ClaimSandboxFamily"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        ReceiveStripeWebhookEnvelope: {
            /** @description Whether the request succeeded */
            success: boolean;
            /** @description What was requested: an object, or the items of a list */
            data: components["schemas"]["ReceiveStripeWebhook"];
            /** @description About the answer */
            meta: components["schemas"]["Meta"];
        };
        /** @enum {string} */
        AccessAction: "read" | "list" | "roster" | "update" | "progress" | "assess";
        /** @enum {string} */
        Attendance: "pending" | "attended" | "no_show" | "excused";
        /** @enum {string} */
        AvailabilityRule: "hours" | "notice" | "days_ahead";
        /** @enum {string} */
        BookingStatus: "pending" | "confirmed" | "completed" | "cancelled" | "expired";
        /**
         * Format: date
         * @description Calendar date YYYY-MM-DD
         * @example 2027-03-01
         */
        CalendarDate: string;
        /** @enum {string} */
        ClassStatus: "draft" | "open" | "closed";
        /** @enum {string} */
        ClosureStatus: "running" | "done";
        /** @enum {string} */
        ConnectionOrigin: "booking" | "family" | "school";
        /** @enum {string} */
        ConnectionSide: "family" | "school" | "time";
        /** @enum {string} */
        ConnectionStatus: "active" | "ended";
        /** @enum {string} */
        CreditStatus: "available" | "spent" | "expired";
        /** @enum {string} */
        DisputeState: "open" | "won" | "lost";
        /** @enum {string} */
        EligibilityRule: "level" | "min_age" | "max_age";
        /**
         * Format: email
         * @description E-mail address
         * @example mia@example.com
         */
        EmailAddress: string;
        /** @enum {string} */
        EnrollmentStatus: "pending" | "active" | "ended";
        /** @enum {string} */
        EventFilter: "*" | "session.created" | "session.updated" | "session.rescheduled" | "session.cancelled" | "session.completed" | "session.attendance_recorded" | "session.reminder" | "lesson.created" | "lesson.updated" | "lesson.rescheduled" | "lesson.cancelled" | "lesson.completed" | "class.created" | "class.updated" | "class.opened" | "class.closed" | "closure.created" | "closure.done" | "closure.removed" | "booking.created" | "booking.confirmed" | "booking.cancelled" | "booking.completed" | "booking.expired" | "enrollment.created" | "enrollment.ended" | "payment.authorized" | "payment.succeeded" | "payment.failed" | "payment.refunded" | "payment.disputed" | "payment.dispute_closed" | "payment.voided" | "payment_method.added" | "payment_method.removed" | "member.created" | "member.updated" | "member.progress_updated" | "member.level_advanced" | "member.erased" | "connection.created" | "connection.ended" | "instructor.created" | "instructor.updated" | "review.created" | "waitlist.joined" | "waitlist.offered" | "waitlist.accepted" | "waitlist.expired" | "webhook_endpoint.disabled" | "ping";
        /** @enum {string} */
        EventType: "session.created" | "session.updated" | "session.rescheduled" | "session.cancelled" | "session.completed" | "session.attendance_recorded" | "session.reminder" | "lesson.created" | "lesson.updated" | "lesson.rescheduled" | "lesson.cancelled" | "lesson.completed" | "class.created" | "class.updated" | "class.opened" | "class.closed" | "closure.created" | "closure.done" | "closure.removed" | "booking.created" | "booking.confirmed" | "booking.cancelled" | "booking.completed" | "booking.expired" | "enrollment.created" | "enrollment.ended" | "payment.authorized" | "payment.succeeded" | "payment.failed" | "payment.refunded" | "payment.disputed" | "payment.dispute_closed" | "payment.voided" | "payment_method.added" | "payment_method.removed" | "member.created" | "member.updated" | "member.progress_updated" | "member.level_advanced" | "member.erased" | "connection.created" | "connection.ended" | "instructor.created" | "instructor.updated" | "review.created" | "waitlist.joined" | "waitlist.offered" | "waitlist.accepted" | "waitlist.expired" | "webhook_endpoint.disabled" | "ping";
        /** @enum {string} */
        HoldStatus: "active" | "converted" | "expired";
        /** @enum {string} */
        ImportKind: "families";
        /** @enum {string} */
        ImportStatus: "open" | "running" | "done";
        /** @enum {string} */
        InstructorStatus: "active" | "inactive";
        /** @enum {string} */
        KeyStatus: "active" | "expired" | "revoked";
        /** @enum {string} */
        Language: "en" | "de" | "es" | "fr";
        /** @enum {string} */
        MessageKind: "booked" | "rescheduled" | "cancelled" | "reminder" | "waitlist_offer" | "receipt" | "refund" | "endpoint_disabled" | "email_confirmation";
        /** @enum {string} */
        MessageReason: "address_unconfirmed" | "unsubscribed" | "out_of_date" | "same_address" | "rejected" | "not_accepted_in_time" | "account_erased";
        /** @enum {string} */
        MessageStatus: "pending" | "sent" | "bounced" | "failed" | "skipped";
        /** @enum {string} */
        PaidBy: "card" | "cash" | "transfer" | "terminal" | "voucher";
        /** @enum {string} */
        PaymentState: "pending" | "authorized" | "succeeded" | "partially_refunded" | "refunded" | "failed" | "voided";
        /** @enum {string} */
        PaymentStatus: "unpaid" | "authorized" | "partially_paid" | "paid" | "partially_refunded" | "refunded" | "failed";
        /** @enum {string} */
        RecordedMethod: "cash" | "transfer" | "terminal" | "voucher";
        /** @enum {string} */
        RefundStatus: "pending" | "succeeded" | "failed";
        /** @enum {string} */
        Role: "owner" | "admin" | "developer" | "viewer" | "guardian" | "instructor";
        /** @enum {string} */
        Scope: "accounts:read" | "accounts:write" | "keys:read" | "keys:write" | "sessions:read" | "sessions:write" | "instructors:read" | "instructors:write" | "members:read" | "members:write" | "bookings:read" | "bookings:write" | "payments:read" | "payments:write" | "webhooks:read" | "webhooks:write" | "events:read" | "members:medical" | "accounts:erase";
        /** @enum {string} */
        SessionStatus: "scheduled" | "completed" | "cancelled";
        /** @enum {string} */
        SkillStatus: "not_started" | "introduced" | "developing" | "mastered";
        /** @enum {string} */
        SwimmingLevel: "beginner" | "advanced_beginner" | "intermediate" | "advanced_intermediate" | "advanced" | "proficient";
        /**
         * Format: date-time
         * @description ISO 8601 instant; any UTC offset is taken, answers are in UTC with milliseconds
         * @example 2027-03-01T16:00:00.000Z
         */
        Timestamp: string;
        /** @enum {string} */
        WaitlistStatus: "waiting" | "offered" | "accepted" | "expired";
        /** @enum {string} */
        WebhookDeliveryState: "pending" | "succeeded" | "failed";
        /** @enum {string} */
        WebhookDisabledReason: "gone" | "failing";
        /** @enum {string} */
        Weekday: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
        id_acct: string;
        id_act: string;
        id_alog: string;
        id_bkg: string;
        id_clo: string;
        id_cls: string;
        id_con: string;
        id_crd: string;
        id_dlv: string;
        id_enr: string;
        id_evt: string;
        id_hold: string;
        id_imp: string;
        id_ins: string;
        id_inv: string;
        id_key: string;
        id_lsn: string;
        id_mem: string;
        id_msg: string;
        id_pay: string;
        id_pm: string;
        id_pool: string;
        id_rev: string;
        id_rfd: string;
        id_rlog: string;
        id_ses: string;
        id_usr: string;
        id_whe: string;
        id_wl: string;
        /** @description An instant */
        SentInstant: string | Date;
    };
    responses: {
        /** @description One of `missing_key`, `malformed_key`, `unknown_key`, `expired_key`, `revoked_key`, `address_not_allowed`, `wrong_environment` */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The body is larger than 256 KiB. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description Send the body with "Content-Type: application/json". */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description This Idempotency-Key was used with another request. Use a new key for a new request. */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description One of `hourly_limit`, `burst_limit`, `authentication_attempts` */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The request headers are too large. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description Something failed on our side. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description One of `unavailable`, `overloaded` */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The service did not answer in time, and the request may have taken effect. Retry it with the same Idempotency-Key. */
        DeadlineExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description Dry run: nothing was kept */
        NothingKept: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    success: boolean;
                    /** @description Empty */
                    data: Record<string, never>;
                    meta: components["schemas"]["Meta"];
                };
            };
        };
    };
    parameters: {
        /** @description Makes a repeated request safe for 24 hours: the same key and body return the stored answer; another body returns `idempotency_key_reused`. */
        IdempotencyKey: string;
        /** @description Validates and checks for conflicts, keeps nothing, and answers 200 with what would be answered. */
        DryRun: boolean;
        /** @description The `ETag` of the content that you have: 304 without a body while it is the present one. */
        IfNoneMatch: string;
        /** @description The `sequence` of the last event that you have: the stream begins after it. 0 for all events that are kept; without it the stream begins after the newest event. One of the future is rejected. */
        LastEventId: number;
    };
    requestBodies: never;
    headers: {
        /** @description Identifier of the request; equals `meta.request_id`. A well-formed one of your own (1 to 64 of `A-Za-z0-9_-`) is kept. */
        "X-Request-Id": string;
        /** @description Requests that the account may make within an hour. */
        "X-RateLimit-Limit": number;
        /** @description Requests that are left in this hour. */
        "X-RateLimit-Remaining": number;
        /** @description Unix second at which this hour ends. */
        "X-RateLimit-Reset": number;
        /** @description Seconds to wait before a retry. */
        "Retry-After": number;
        /** @description `true` when this is the stored answer of an earlier request with the same Idempotency-Key. */
        "Idempotent-Replayed": string;
        /** @description Identifies the content, for `If-None-Match`. */
        ETag: string;
        /** @description `Bearer` */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listSessions: {
        parameters: {
            query?: {
                /** @description The instructor */
                instructor_id?: components["schemas"]["id_ins"];
                /** @description The member who takes the lesson */
                member_id?: components["schemas"]["id_mem"];
                /** @description The booking */
                booking_id?: components["schemas"]["id_bkg"];
                /** @description One or several, comma-separated, of: scheduled, completed, cancelled */
                status?: ("scheduled" | "completed" | "cancelled")[];
                /** @description At most 100 identifiers with the prefix ses_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description A JSON object, or metadata[KEY]=VALUE once or more: only objects with all of these are listed */
                metadata?: {
                    [key: string]: string;
                };
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionListEnvelope"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEnvelope"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                session_id: components["schemas"]["id_ses"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEnvelope"];
                };
            };
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                session_id: components["schemas"]["id_ses"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSessionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEnvelope"];
                };
            };
        };
    };
    quoteCancellation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                session_id: components["schemas"]["id_ses"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationQuoteEnvelope"];
                };
            };
        };
    };
    cancelSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                session_id: components["schemas"]["id_ses"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelSessionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEnvelope"];
                };
            };
        };
    };
    completeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                session_id: components["schemas"]["id_ses"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompleteSessionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEnvelope"];
                };
            };
        };
    };
    recordAttendance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session */
                session_id: components["schemas"]["id_ses"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordAttendanceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEnvelope"];
                };
            };
        };
    };
    listLessons: {
        parameters: {
            query?: {
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_to?: components["schemas"]["SentInstant"];
                /** @description The instructor */
                instructor_id?: components["schemas"]["id_ins"];
                /** @description The account to which it belongs */
                account_id?: components["schemas"]["id_acct"];
                /** @description The class */
                class_id?: components["schemas"]["id_cls"];
                /** @description The pool; required when `type` is `pool` */
                pool_id?: components["schemas"]["id_pool"];
                /** @description The level of the scale of six */
                level?: components["schemas"]["SwimmingLevel"];
                /** @description Only lessons for this age */
                age_years?: number;
                /** @description Only lessons that are bookable, or not */
                bookable?: boolean;
                /** @description Only lessons with a free place, or without */
                has_places?: boolean;
                /** @description At most 100 identifiers with the prefix lsn_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LessonListEnvelope"];
                };
            };
        };
    };
    createLesson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLessonBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LessonEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LessonEnvelope"];
                };
            };
        };
    };
    getLesson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The lesson that it is a place in */
                lesson_id: components["schemas"]["id_lsn"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LessonEnvelope"];
                };
            };
        };
    };
    updateLesson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The lesson that it is a place in */
                lesson_id: components["schemas"]["id_lsn"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLessonBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LessonEnvelope"];
                };
            };
        };
    };
    cancelLesson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The lesson that it is a place in */
                lesson_id: components["schemas"]["id_lsn"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelLessonBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LessonEnvelope"];
                };
            };
        };
    };
    recordLessonAttendance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The lesson that it is a place in */
                lesson_id: components["schemas"]["id_lsn"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordLessonAttendanceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordLessonAttendanceEnvelope"];
                };
            };
        };
    };
    getRoster: {
        parameters: {
            query: {
                /** @description The day, in the zone of the instructor */
                date: components["schemas"]["CalendarDate"];
            };
            header?: never;
            path: {
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RosterEnvelope"];
                };
            };
        };
    };
    listClasses: {
        parameters: {
            query?: {
                /** @description Only classes of this school */
                account_id?: components["schemas"]["id_acct"];
                /** @description The level of the scale of six */
                level?: components["schemas"]["SwimmingLevel"];
                /** @description Only classes for this age */
                age_years?: number;
                /** @description The instructor */
                instructor_id?: components["schemas"]["id_ins"];
                /** @description The pool; required when `type` is `pool` */
                pool_id?: components["schemas"]["id_pool"];
                /** @description Only classes with lessons on this day of the week */
                weekday?: components["schemas"]["Weekday"];
                /** @description Only classes with a place in all lessons to come, or without */
                has_places?: boolean;
                /** @description Beginning of any word, whatever its case and accents; taken literally */
                search?: string;
                /** @description At most 100 identifiers with the prefix cls_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwimClassListEnvelope"];
                };
            };
        };
    };
    createClass: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateClassBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwimClassEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwimClassEnvelope"];
                };
            };
        };
    };
    getClass: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The class */
                class_id: components["schemas"]["id_cls"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwimClassEnvelope"];
                };
            };
        };
    };
    removeClass: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The class */
                class_id: components["schemas"]["id_cls"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateClass: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The class */
                class_id: components["schemas"]["id_cls"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateClassBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateClassEnvelope"];
                };
            };
        };
    };
    openClass: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The class */
                class_id: components["schemas"]["id_cls"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OpenClassBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SwimClassEnvelope"];
                };
            };
        };
    };
    closeClass: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The class */
                class_id: components["schemas"]["id_cls"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CloseClassBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloseClassEnvelope"];
                };
            };
        };
    };
    listClassEnrollments: {
        parameters: {
            query?: {
                /** @description Only enrollments of this member */
                member_id?: components["schemas"]["id_mem"];
                /** @description One or several, comma-separated, of: pending, active, ended */
                status?: ("pending" | "active" | "ended")[];
                /** @description At most 100 identifiers with the prefix enr_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The class */
                class_id: components["schemas"]["id_cls"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentListEnvelope"];
                };
            };
        };
    };
    createEnrollment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The class */
                class_id: components["schemas"]["id_cls"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEnrollmentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentEnvelope"];
                };
            };
        };
    };
    listClosures: {
        parameters: {
            query?: {
                /** @description One or several, comma-separated, of: running, done */
                status?: ("running" | "done")[];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosureListEnvelope"];
                };
            };
        };
    };
    createClosure: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateClosureBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosureEnvelope"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosureEnvelope"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getClosure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The closure */
                closure_id: components["schemas"]["id_clo"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClosureEnvelope"];
                };
            };
        };
    };
    removeClosure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The closure */
                closure_id: components["schemas"]["id_clo"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createSubstitution: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSubstitutionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSubstitutionEnvelope"];
                };
            };
        };
    };
    listInstructors: {
        parameters: {
            query?: {
                /** @description At most 100 identifiers with the prefix ins_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description A JSON object, or metadata[KEY]=VALUE once or more: only objects with all of these are listed */
                metadata?: {
                    [key: string]: string;
                };
                /** @description `reviews` adds the ten newest reviews of each instructor */
                expand?: "reviews";
                /** @description At most 100 identifiers of schools, comma-separated: only their instructors */
                account_id?: string[];
                /** @description Beginning of any word, whatever its case and accents; taken literally */
                search?: string;
                /** @description Only instructors with this certificate, not expired */
                certification?: string;
                /** @description A date: any free slot that day in the zone of the instructor. An instant: free from then. For 30 minutes, at `GET /availability` for `duration_minutes`. */
                available_date?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
                /** @description As JSON, or spelled out as `location[latitude]=…&location[longitude]=…&location[radius]=…`, all of them */
                location?: {
                    latitude: number;
                    longitude: number;
                    /** @description Kilometres from the place to the centre of a service area, at most; the place lies within the `radius_km` of the area too */
                    radius: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedInstructorListEnvelope"];
                };
            };
        };
    };
    createInstructor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInstructorBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstructorEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstructorEnvelope"];
                };
            };
        };
    };
    getInstructor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstructorEnvelope"];
                };
            };
        };
    };
    updateInstructor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateInstructorBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstructorEnvelope"];
                };
            };
        };
    };
    getAvailability: {
        parameters: {
            query?: {
                /** @description From this instant on */
                date_from?: components["schemas"]["SentInstant"];
                /** @description Before this instant */
                date_to?: components["schemas"]["SentInstant"];
                /** @description IANA time zone */
                timezone?: string;
                /** @description Length of each slot in minutes */
                duration_minutes?: number;
            };
            header?: never;
            path: {
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AvailabilityEnvelope"];
                };
            };
        };
    };
    listReviews: {
        parameters: {
            query?: {
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewListEnvelope"];
                };
            };
        };
    };
    createReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReviewBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewEnvelope"];
                };
            };
        };
    };
    mintInstructorCalendarToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MintInstructorCalendarTokenBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarTokenEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarTokenEnvelope"];
                };
            };
        };
    };
    revokeInstructorCalendarToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readInstructorCalendar: {
        parameters: {
            query: {
                /** @description The token of the feed, as it was answered when it was made */
                token: string;
            };
            header?: never;
            path: {
                /** @description The instructor */
                instructor_id: components["schemas"]["id_ins"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
        };
    };
    mintMemberCalendarToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member who takes the lesson */
                member_id: components["schemas"]["id_mem"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MintMemberCalendarTokenBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarTokenEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarTokenEnvelope"];
                };
            };
        };
    };
    revokeMemberCalendarToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member who takes the lesson */
                member_id: components["schemas"]["id_mem"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readMemberCalendar: {
        parameters: {
            query: {
                /** @description The token of the feed, as it was answered when it was made */
                token: string;
            };
            header?: never;
            path: {
                /** @description The member who takes the lesson */
                member_id: components["schemas"]["id_mem"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": string;
                };
            };
        };
    };
    listAvailability: {
        parameters: {
            query?: {
                /** @description At most 50 identifiers with the prefix ins_, comma-separated: only these are listed */
                instructor_ids?: string[];
                /** @description At most 100 identifiers of schools, comma-separated: only their instructors */
                account_id?: string[];
                /** @description Beginning of any word, whatever its case and accents; taken literally */
                search?: string;
                /** @description Only instructors with this certificate, not expired */
                certification?: string;
                /** @description A date: any free slot that day in the zone of the instructor. An instant: free from then. For 30 minutes, at `GET /availability` for `duration_minutes`. */
                available_date?: components["schemas"]["SentInstant"];
                /** @description From this instant on */
                date_from?: components["schemas"]["SentInstant"];
                /** @description Before this instant */
                date_to?: components["schemas"]["SentInstant"];
                /** @description IANA time zone */
                timezone?: string;
                /** @description Length of each slot in minutes */
                duration_minutes?: number;
                /** @description Only the first slot of each instructor */
                first_only?: boolean;
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
                /** @description As JSON, or spelled out as `location[latitude]=…&location[longitude]=…&location[radius]=…`, all of them */
                location?: {
                    latitude: number;
                    longitude: number;
                    /** @description Kilometres from the place to the centre of a service area, at most; the place lies within the `radius_km` of the area too */
                    radius: number;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AvailableSlotListEnvelope"];
                };
            };
        };
    };
    listPools: {
        parameters: {
            query?: {
                /** @description At most 100 identifiers of schools, comma-separated: only their pools */
                account_id?: string[];
                /** @description At most 100 identifiers with the prefix pool_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description A JSON object, or metadata[KEY]=VALUE once or more: only objects with all of these are listed */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolListEnvelope"];
                };
            };
        };
    };
    createPool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePoolBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolEnvelope"];
                };
            };
        };
    };
    getPool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pool; required when `type` is `pool` */
                pool_id: components["schemas"]["id_pool"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolEnvelope"];
                };
            };
        };
    };
    removePool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pool; required when `type` is `pool` */
                pool_id: components["schemas"]["id_pool"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updatePool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The pool; required when `type` is `pool` */
                pool_id: components["schemas"]["id_pool"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePoolBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolEnvelope"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeEnvelope"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
        };
    };
    eraseAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EraseAccountEnvelope"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EraseAccountEnvelope"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAccountBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
        };
    };
    exportAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountExportEnvelope"];
                };
            };
        };
    };
    restoreAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RestoreAccountBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description Only those of this kind */
                kind?: components["schemas"]["MessageKind"];
                /** @description One or several, comma-separated, of: pending, sent, bounced, failed, skipped */
                status?: ("pending" | "sent" | "bounced" | "failed" | "skipped")[];
                /** @description At most 100 identifiers with the prefix msg_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageListEnvelope"];
                };
            };
        };
    };
    listAccessLog: {
        parameters: {
            query?: {
                /** @description The member who takes the lesson */
                member_id?: components["schemas"]["id_mem"];
                /** @description The API key that was used */
                key_id?: components["schemas"]["id_key"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessEntryListEnvelope"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description At most 100 identifiers with the prefix key_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyListEnvelope"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithTextEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithTextEnvelope"];
                };
            };
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
                /** @description The API key that was used */
                key_id: components["schemas"]["id_key"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyEnvelope"];
                };
            };
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
                /** @description The API key that was used */
                key_id: components["schemas"]["id_key"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateKeyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyEnvelope"];
                };
            };
        };
    };
    rollKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
                /** @description The API key that was used */
                key_id: components["schemas"]["id_key"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RollKeyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithTextEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithTextEnvelope"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
                /** @description The API key that was used */
                key_id: components["schemas"]["id_key"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RevokeKeyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyEnvelope"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description The account to which it belongs */
                account_id?: components["schemas"]["id_acct"];
                /** @description Beginning of any word, whatever its case and accents; taken literally */
                search?: string;
                /** @description Level of the member, of the six of the American Red Cross */
                swimming_level?: components["schemas"]["SwimmingLevel"];
                /** @description At most 100 identifiers with the prefix mem_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description A JSON object, or metadata[KEY]=VALUE once or more: only objects with all of these are listed */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberListEnvelope"];
                };
            };
        };
    };
    listMembersOfAccount: {
        parameters: {
            query?: {
                /** @description Beginning of any word, whatever its case and accents; taken literally */
                search?: string;
                /** @description Level of the member, of the six of the American Red Cross */
                swimming_level?: components["schemas"]["SwimmingLevel"];
                /** @description At most 100 identifiers with the prefix mem_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description A JSON object, or metadata[KEY]=VALUE once or more: only objects with all of these are listed */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberListEnvelope"];
                };
            };
        };
    };
    createMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMemberBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberEnvelope"];
                };
            };
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member who takes the lesson */
                member_id: components["schemas"]["id_mem"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberEnvelope"];
                };
            };
        };
    };
    eraseMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member who takes the lesson */
                member_id: components["schemas"]["id_mem"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member who takes the lesson */
                member_id: components["schemas"]["id_mem"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberEnvelope"];
                };
            };
        };
    };
    getMemberProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member who takes the lesson */
                member_id: components["schemas"]["id_mem"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressEnvelope"];
                };
            };
        };
    };
    assessMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member who takes the lesson */
                member_id: components["schemas"]["id_mem"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssessMemberBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressEnvelope"];
                };
            };
        };
    };
    listFamilies: {
        parameters: {
            query?: {
                /** @description Beginning of any word of name or e-mail, whatever its case and accents; taken literally */
                search?: string;
                /** @description Only those that owe the school something */
                due?: boolean;
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FamilyListEnvelope"];
                };
            };
        };
    };
    createFamily: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFamilyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedFamilyEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedFamilyEnvelope"];
                };
            };
        };
    };
    getFamily: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FamilyDetailsEnvelope"];
                };
            };
        };
    };
    inviteFamily: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InviteFamilyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteFamilyEnvelope"];
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description One or several, comma-separated, of: open, running, done */
                status?: ("open" | "running" | "done")[];
                /** @description At most 100 identifiers with the prefix imp_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataImportListEnvelope"];
                };
            };
        };
    };
    createImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateImportBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataImportEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataImportEnvelope"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import */
                import_id: components["schemas"]["id_imp"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataImportEnvelope"];
                };
            };
        };
    };
    addImportRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import */
                import_id: components["schemas"]["id_imp"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddImportRowsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataImportEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataImportEnvelope"];
                };
            };
        };
    };
    runImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import */
                import_id: components["schemas"]["id_imp"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunImportBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataImportEnvelope"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataImportEnvelope"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listConnections: {
        parameters: {
            query?: {
                /** @description One or several, comma-separated, of: active, ended */
                status?: ("active" | "ended")[];
                /** @description Only those with this school */
                school_id?: components["schemas"]["id_acct"];
                /** @description Only those with this account */
                account_id?: components["schemas"]["id_acct"];
                /** @description The member who takes the lesson */
                member_id?: components["schemas"]["id_mem"];
                /** @description An id of the school for it */
                external_id?: string;
                /** @description At most 100 identifiers with the prefix con_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionListEnvelope"];
                };
            };
        };
    };
    createConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConnectionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionEnvelope"];
                };
            };
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection */
                connection_id: components["schemas"]["id_con"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionEnvelope"];
                };
            };
        };
    };
    updateConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection */
                connection_id: components["schemas"]["id_con"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateConnectionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionEnvelope"];
                };
            };
        };
    };
    endConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The connection */
                connection_id: components["schemas"]["id_con"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EndConnectionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionEnvelope"];
                };
            };
        };
    };
    listBookings: {
        parameters: {
            query?: {
                /** @description One or several, comma-separated, of: pending, confirmed, completed, cancelled, expired */
                status?: ("pending" | "confirmed" | "completed" | "cancelled" | "expired")[];
                /** @description The instructor */
                instructor_id?: components["schemas"]["id_ins"];
                /** @description The member who takes the lesson */
                member_id?: components["schemas"]["id_mem"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_to?: components["schemas"]["SentInstant"];
                /** @description Only bookings on which something is due: `amount_due_cents` above 0 */
                due?: boolean;
                /** @description At most 100 identifiers with the prefix bkg_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description A JSON object, or metadata[KEY]=VALUE once or more: only objects with all of these are listed */
                metadata?: {
                    [key: string]: string;
                };
                /** @description The account to which it belongs */
                account_id?: components["schemas"]["id_acct"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookingListEnvelope"];
                };
            };
        };
    };
    createBooking: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBookingBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookingEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookingEnvelope"];
                };
            };
        };
    };
    getBooking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The booking */
                booking_id: components["schemas"]["id_bkg"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookingEnvelope"];
                };
            };
        };
    };
    updateBooking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The booking */
                booking_id: components["schemas"]["id_bkg"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateBookingBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookingEnvelope"];
                };
            };
        };
    };
    cancelBooking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The booking */
                booking_id: components["schemas"]["id_bkg"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelBookingBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookingEnvelope"];
                };
            };
        };
    };
    quoteBookingCancellation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The booking */
                booking_id: components["schemas"]["id_bkg"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteBookingCancellationEnvelope"];
                };
            };
        };
    };
    listBookingsOfAccount: {
        parameters: {
            query?: {
                /** @description One or several, comma-separated, of: pending, confirmed, completed, cancelled, expired */
                status?: ("pending" | "confirmed" | "completed" | "cancelled" | "expired")[];
                /** @description The instructor */
                instructor_id?: components["schemas"]["id_ins"];
                /** @description The member who takes the lesson */
                member_id?: components["schemas"]["id_mem"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_to?: components["schemas"]["SentInstant"];
                /** @description Only bookings on which something is due: `amount_due_cents` above 0 */
                due?: boolean;
                /** @description At most 100 identifiers with the prefix bkg_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description A JSON object, or metadata[KEY]=VALUE once or more: only objects with all of these are listed */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookingListEnvelope"];
                };
            };
        };
    };
    listCredits: {
        parameters: {
            query?: {
                /** @description One or several, comma-separated, of: available, spent, expired */
                status?: ("available" | "spent" | "expired")[];
                /** @description At most 100 identifiers with the prefix crd_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditListEnvelope"];
                };
            };
        };
    };
    listCreditOptions: {
        parameters: {
            query?: {
                /** @description A member of the account; without it the member for whose lesson the credit was given */
                member_id?: components["schemas"]["id_mem"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The makeup credit */
                credit_id: components["schemas"]["id_crd"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LessonListEnvelope"];
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query: {
                /** @description Month YYYY-MM, in the time zone of the school */
                month: string;
                /** @description ISO 4217 currency code */
                currency?: string;
            };
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementEnvelope"];
                    "text/csv": string;
                };
            };
        };
    };
    listEnrollments: {
        parameters: {
            query?: {
                /** @description Only enrollments in this class */
                class_id?: components["schemas"]["id_cls"];
                /** @description Only enrollments of this member */
                member_id?: components["schemas"]["id_mem"];
                /** @description One or several, comma-separated, of: pending, active, ended */
                status?: ("pending" | "active" | "ended")[];
                /** @description At most 100 identifiers with the prefix enr_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentListEnvelope"];
                };
            };
        };
    };
    getEnrollment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The enrollment */
                enrollment_id: components["schemas"]["id_enr"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentEnvelope"];
                };
            };
        };
    };
    endEnrollment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The enrollment */
                enrollment_id: components["schemas"]["id_enr"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndEnrollmentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentEnvelope"];
                };
            };
        };
    };
    listHolds: {
        parameters: {
            query?: {
                /** @description The instructor */
                instructor_id?: components["schemas"]["id_ins"];
                /** @description One or several, comma-separated, of: active, converted, expired */
                status?: ("active" | "converted" | "expired")[];
                /** @description At most 100 identifiers with the prefix hold_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldListEnvelope"];
                };
            };
        };
    };
    createHold: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateHoldBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldEnvelope"];
                };
            };
        };
    };
    getHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A hold of the same instructor and sessions or lessons, and the same members, which the booking takes over */
                hold_id: components["schemas"]["id_hold"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldEnvelope"];
                };
            };
        };
    };
    removeHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A hold of the same instructor and sessions or lessons, and the same members, which the booking takes over */
                hold_id: components["schemas"]["id_hold"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listWaitlist: {
        parameters: {
            query?: {
                /** @description The lesson that it is a place in */
                lesson_id?: components["schemas"]["id_lsn"];
                /** @description The class */
                class_id?: components["schemas"]["id_cls"];
                /** @description The instructor */
                instructor_id?: components["schemas"]["id_ins"];
                /** @description The member who takes the lesson */
                member_id?: components["schemas"]["id_mem"];
                /** @description One or several, comma-separated, of: waiting, offered, accepted, expired */
                status?: ("waiting" | "offered" | "accepted" | "expired")[];
                /** @description At most 100 identifiers with the prefix wl_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitlistEntryListEnvelope"];
                };
            };
        };
    };
    joinWaitlist: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JoinWaitlistBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitlistEntryEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitlistEntryEnvelope"];
                };
            };
        };
    };
    getWaitlistEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The waitlist entry */
                waitlist_id: components["schemas"]["id_wl"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitlistEntryEnvelope"];
                };
            };
        };
    };
    leaveWaitlist: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The waitlist entry */
                waitlist_id: components["schemas"]["id_wl"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: {
                /** @description At most 100 identifiers with the prefix pm_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodListEnvelope"];
                };
            };
        };
    };
    addPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPaymentMethodBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodEnvelope"];
                };
            };
        };
    };
    setUpPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SetUpPaymentMethodBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUpPaymentMethodEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUpPaymentMethodEnvelope"];
                };
            };
        };
    };
    removePaymentMethodOfAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: string;
                /** @description The payment method */
                payment_method_id: components["schemas"]["id_pm"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment method */
                payment_method_id: components["schemas"]["id_pm"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodEnvelope"];
                };
            };
        };
    };
    removePaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment method */
                payment_method_id: components["schemas"]["id_pm"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updatePaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment method */
                payment_method_id: components["schemas"]["id_pm"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePaymentMethodBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodEnvelope"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description The account to which it belongs */
                account_id?: components["schemas"]["id_acct"];
                /** @description One or several, comma-separated, of: pending, authorized, succeeded, partially_refunded, refunded, failed, voided */
                status?: ("pending" | "authorized" | "succeeded" | "partially_refunded" | "refunded" | "failed" | "voided")[];
                /** @description The booking */
                booking_id?: components["schemas"]["id_bkg"];
                /** @description At most 100 identifiers with the prefix pay_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description A JSON object, or metadata[KEY]=VALUE once or more: only objects with all of these are listed */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentListEnvelope"];
                };
            };
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentEnvelope"];
                };
            };
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment */
                payment_id: components["schemas"]["id_pay"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentEnvelope"];
                };
            };
        };
    };
    updatePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment */
                payment_id: components["schemas"]["id_pay"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePaymentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentEnvelope"];
                };
            };
        };
    };
    capturePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment */
                payment_id: components["schemas"]["id_pay"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CapturePaymentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentEnvelope"];
                };
            };
        };
    };
    voidPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment */
                payment_id: components["schemas"]["id_pay"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VoidPaymentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentEnvelope"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description At most 100 identifiers with the prefix rfd_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The payment */
                payment_id: components["schemas"]["id_pay"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundListEnvelope"];
                };
            };
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment */
                payment_id: components["schemas"]["id_pay"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRefundBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundEnvelope"];
                };
            };
        };
    };
    listPaymentsOfAccount: {
        parameters: {
            query?: {
                /** @description One or several, comma-separated, of: pending, authorized, succeeded, partially_refunded, refunded, failed, voided */
                status?: ("pending" | "authorized" | "succeeded" | "partially_refunded" | "refunded" | "failed" | "voided")[];
                /** @description The booking */
                booking_id?: components["schemas"]["id_bkg"];
                /** @description At most 100 identifiers with the prefix pay_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description A JSON object, or metadata[KEY]=VALUE once or more: only objects with all of these are listed */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentListEnvelope"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description One or several, comma-separated, of: session.created, session.updated, session.rescheduled, session.cancelled, session.completed, session.attendance_recorded, session.reminder, lesson.created, lesson.updated, lesson.rescheduled, lesson.cancelled, lesson.completed, class.created, class.updated, class.opened, class.closed, closure.created, closure.done, closure.removed, booking.created, booking.confirmed, booking.cancelled, booking.completed, booking.expired, enrollment.created, enrollment.ended, payment.authorized, payment.succeeded, payment.failed, payment.refunded, payment.disputed, payment.dispute_closed, payment.voided, payment_method.added, payment_method.removed, member.created, member.updated, member.progress_updated, member.level_advanced, member.erased, connection.created, connection.ended, instructor.created, instructor.updated, review.created, waitlist.joined, waitlist.offered, waitlist.accepted, waitlist.expired, webhook_endpoint.disabled, ping */
                type?: ("session.created" | "session.updated" | "session.rescheduled" | "session.cancelled" | "session.completed" | "session.attendance_recorded" | "session.reminder" | "lesson.created" | "lesson.updated" | "lesson.rescheduled" | "lesson.cancelled" | "lesson.completed" | "class.created" | "class.updated" | "class.opened" | "class.closed" | "closure.created" | "closure.done" | "closure.removed" | "booking.created" | "booking.confirmed" | "booking.cancelled" | "booking.completed" | "booking.expired" | "enrollment.created" | "enrollment.ended" | "payment.authorized" | "payment.succeeded" | "payment.failed" | "payment.refunded" | "payment.disputed" | "payment.dispute_closed" | "payment.voided" | "payment_method.added" | "payment_method.removed" | "member.created" | "member.updated" | "member.progress_updated" | "member.level_advanced" | "member.erased" | "connection.created" | "connection.ended" | "instructor.created" | "instructor.updated" | "review.created" | "waitlist.joined" | "waitlist.offered" | "waitlist.accepted" | "waitlist.expired" | "webhook_endpoint.disabled" | "ping")[];
                /** @description Only events of this object */
                object_id?: string;
                /** @description Only what this request caused or was, as in `X-Request-Id` */
                request_id?: string;
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_to?: components["schemas"]["SentInstant"];
                /** @description Answers events after this sequence, oldest first */
                after_sequence?: number;
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountEventListEnvelope"];
                };
            };
        };
    };
    openEventStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event */
                event_id: components["schemas"]["id_evt"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountEventEnvelope"];
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description One or several, comma-separated, of: 2xx, 200, 201, 202, 204, 4xx, 400, 401, 402, 403, 404, 405, 409, 413, 415, 422, 429, 431, 5xx, 500, 502, 503, 504 */
                status?: ("2xx" | "200" | "201" | "202" | "204" | "4xx" | "400" | "401" | "402" | "403" | "404" | "405" | "409" | "413" | "415" | "422" | "429" | "431" | "5xx" | "500" | "502" | "503" | "504")[];
                /** @description One or several, comma-separated, of: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS */
                method?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS")[];
                /** @description Beginning of the path, as text */
                path?: string;
                /** @description Only what this request caused or was, as in `X-Request-Id` */
                request_id?: string;
                /** @description The API key that was used */
                key_id?: components["schemas"]["id_key"];
                /** @description Only those of this user of the dashboard */
                user_id?: components["schemas"]["id_usr"];
                /** @description Only requests of API keys, or only those of users of the dashboard */
                requester?: "key" | "user";
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLogEntryListEnvelope"];
                };
            };
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The entry of the request log */
                request_log_id: components["schemas"]["id_rlog"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLogEntryEnvelope"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                date_to?: components["schemas"]["SentInstant"];
                /** @description Only requests of this key */
                key_id?: components["schemas"]["id_key"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageEnvelope"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description At most 100 identifiers with the prefix whe_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointListEnvelope"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpointBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecretEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecretEnvelope"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                webhook_endpoint_id: components["schemas"]["id_whe"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointEnvelope"];
                };
            };
        };
    };
    removeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                webhook_endpoint_id: components["schemas"]["id_whe"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                webhook_endpoint_id: components["schemas"]["id_whe"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpointBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointEnvelope"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                webhook_endpoint_id: components["schemas"]["id_whe"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecretEnvelope"];
                };
            };
        };
    };
    pingWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                webhook_endpoint_id: components["schemas"]["id_whe"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PingWebhookEndpointBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryEnvelope"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryEnvelope"];
                };
            };
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                webhook_endpoint_id: components["schemas"]["id_whe"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookEventsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayWebhookEventsEnvelope"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description One or several, comma-separated, of: pending, succeeded, failed */
                status?: ("pending" | "succeeded" | "failed")[];
                /** @description At most 100 identifiers with the prefix dlv_, comma-separated: only these are listed */
                ids?: string[];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_from?: components["schemas"]["SentInstant"];
                /** @description ISO 8601 instant with offset, or a date (UTC midnight) */
                updated_to?: components["schemas"]["SentInstant"];
                /** @description Most items of the page */
                limit?: number;
                /** @description Items to leave out before the page; not together with `cursor` */
                offset?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The webhook endpoint */
                webhook_endpoint_id: components["schemas"]["id_whe"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryListEnvelope"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                webhook_endpoint_id: components["schemas"]["id_whe"];
                /** @description The delivery */
                webhook_delivery_id: components["schemas"]["id_dlv"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithRequestEnvelope"];
                };
            };
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook endpoint */
                webhook_endpoint_id: components["schemas"]["id_whe"];
                /** @description The delivery */
                webhook_delivery_id: components["schemas"]["id_dlv"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryWebhookDeliveryBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryEnvelope"];
                };
            };
        };
    };
    getSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClockEnvelope"];
                };
            };
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceSandboxClockBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClockEnvelope"];
                };
            };
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResetSandboxBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClockEnvelope"];
                };
            };
        };
    };
    authenticateSandboxPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment */
                payment_id: components["schemas"]["id_pay"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthenticateSandboxPaymentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentEnvelope"];
                };
            };
        };
    };
    claimSandboxFamily: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account to which it belongs */
                account_id: components["schemas"]["id_acct"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ClaimSandboxFamilyBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimSandboxFamilyEnvelope"];
                };
            };
        };
    };
    receiveStripeWebhook: {
        parameters: {
            query?: never;
            header: {
                /** @description Signature of Stripe over the time and the body */
                "stripe-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiveStripeWebhookEnvelope"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthEnvelope"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    openapi30: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    receiveSessionCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSessionUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionUpdatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSessionRescheduled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionRescheduledEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSessionCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionCancelledEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSessionCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionCompletedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSessionAttendanceRecorded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionAttendanceRecordedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSessionReminder: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionReminderEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLessonCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LessonCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLessonUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LessonUpdatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLessonRescheduled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LessonRescheduledEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLessonCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LessonCancelledEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLessonCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LessonCompletedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveClassCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveClassUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassUpdatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveClassOpened: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassOpenedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveClassClosed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassClosedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveClosureCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClosureCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveClosureDone: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClosureDoneEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveClosureRemoved: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClosureRemovedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBookingCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookingCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBookingConfirmed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookingConfirmedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBookingCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookingCancelledEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBookingCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookingCompletedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBookingExpired: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookingExpiredEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveEnrollmentCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrollmentCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveEnrollmentEnded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrollmentEndedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePaymentAuthorized: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentAuthorizedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePaymentSucceeded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentSucceededEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePaymentFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentFailedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePaymentRefunded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentRefundedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePaymentDisputed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentDisputedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePaymentDisputeClosed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentDisputeClosedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePaymentVoided: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentVoidedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePaymentMethodAdded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentMethodAddedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePaymentMethodRemoved: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentMethodRemovedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMemberCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMemberUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberUpdatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMemberProgressUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberProgressUpdatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMemberLevelAdvanced: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberLevelAdvancedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMemberErased: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberErasedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConnectionCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConnectionEnded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionEndedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInstructorCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstructorCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInstructorUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstructorUpdatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveReviewCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWaitlistJoined: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaitlistJoinedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWaitlistOffered: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaitlistOfferedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWaitlistAccepted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaitlistAcceptedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWaitlistExpired: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaitlistExpiredEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookEndpointDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointDisabledEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePing: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same on every try */
                "webhook-id": string;
                /** @description Unix second of the try */
                "webhook-timestamp": number;
                /** @description One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PingEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The try has failed; the event is delivered again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
