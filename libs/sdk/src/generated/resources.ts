// Generated from gateway/openapi.json by `npm run generate`. Do not edit.

import { type Answer, type Api, type DeleteOptions, type RequestOptions, Resource, type WriteOptions } from '../api.js';
import type { List } from '../list.js';
import { path } from '../path.js';
import type * as models from './models.js';
import type { Query } from './models.js';

/** `client.sessions` */
export class Sessions extends Resource {
  /** List sessions. The lessons that the account may see, by date, earliest first. Needs the scope `sessions:read`. */
  list(query?: Query<'listSessions'>, options?: RequestOptions): List<models.Session> {
    return this.api.list(path`/sessions`, query, options);
  }

  /** Create a session. Books one lesson at once. It makes a booking of this lesson, named by `booking_id`; one that the school of its instructor makes has none and is not billed. A time that is not free is rejected with up to three times nearby that are. Needs the scope `sessions:write`. */
  create(body: models.CreateSessionBody, options?: WriteOptions): Answer<models.Session> {
    return this.api.write('POST', path`/sessions`, body, options);
  }

  /** Get a session. A lesson with its status, attendance and cancellation. Needs the scope `sessions:read`. */
  get(sessionId: string, options?: RequestOptions): Answer<models.Session> {
    return this.api.read(path`/sessions/${sessionId}`, {}, options);
  }

  /** Update or reschedule a session. Changes the fields that are sent; a new time is checked for conflicts, and the id stays. With `version`, only if the session is still at that version. Needs the scope `sessions:write`. */
  update(sessionId: string, body: models.UpdateSessionBody, options?: WriteOptions): Answer<models.Session> {
    return this.api.write('PATCH', path`/sessions/${sessionId}`, body, options);
  }

  /** Quote the cancellation of a session. What a cancellation would cost and give back now. It changes nothing. Needs the scope `sessions:read`. */
  quoteCancellation(sessionId: string, options?: RequestOptions): Answer<models.CancellationQuote> {
    return this.api.read(path`/sessions/${sessionId}/cancellation-quote`, {}, options);
  }

  /** Cancel a session. What was paid beyond the fee is refunded, or becomes a makeup credit. Cancelling again answers the same. Needs the scope `sessions:write`. */
  cancel(sessionId: string, body?: models.CancelSessionBody, options?: WriteOptions): Answer<models.Session> {
    return this.api.write('POST', path`/sessions/${sessionId}/cancel`, body, options);
  }

  /** Complete a session. Marks a lesson that has started as given. Otherwise this happens 15 minutes after its end. Only the school may. Needs the scope `sessions:write`. */
  complete(sessionId: string, options?: WriteOptions): Answer<models.Session> {
    return this.api.write('POST', path`/sessions/${sessionId}/complete`, undefined, options);
  }

  /** Record attendance. Whether the member came. A no-show may cost a fee; an excused one gives a makeup credit where it was paid. Only the school may. Once `attended` or `no_show` is recorded, only the school can move or cancel the session. Needs the scope `sessions:write`. */
  recordAttendance(sessionId: string, body: models.RecordAttendanceBody, options?: WriteOptions): Answer<models.Session> {
    return this.api.write('POST', path`/sessions/${sessionId}/attendance`, body, options);
  }
}

/** `client.lessons` */
export class Lessons extends Resource {
  /** List lessons. Bookable lessons of every school, and those with members of the account, by date, earliest first; a school sees all of its own. Needs the scope `sessions:read`. */
  list(query?: Query<'listLessons'>, options?: RequestOptions): List<models.Lesson> {
    return this.api.list(path`/lessons`, query, options);
  }

  /** Create a lesson. Adds a lesson with places that families can book. Its instructor, and a lane of its pool, are taken for it at once. Only the school may. Needs the scope `sessions:write`. */
  create(body: models.CreateLessonBody, options?: WriteOptions): Answer<models.Lesson> {
    return this.api.write('POST', path`/lessons`, body, options);
  }

  /** Get a lesson. A lesson with its places. The school sees all sessions, any other account only its own: of others it learns how many places are left. Needs the scope `sessions:read`. */
  get(lessonId: string, options?: RequestOptions): Answer<models.Lesson> {
    return this.api.read(path`/lessons/${lessonId}`, {}, options);
  }

  /** Update or move a lesson. Changes the fields that are sent. Another time, length, instructor or place moves all sessions of the lesson or none; each keeps its id and its price, and can be cancelled free of charge until it starts. Only the school may. Needs the scope `sessions:write`. */
  update(lessonId: string, body: models.UpdateLessonBody, options?: WriteOptions): Answer<models.Lesson> {
    return this.api.write('PATCH', path`/lessons/${lessonId}`, body, options);
  }

  /** Cancel a lesson. Cancels a lesson with all of its sessions, without a fee. With `refund_as: credit` a session whose booking gives no makeup credits is refunded. Cancelling again answers the same. Only the school may. Needs the scope `sessions:write`. */
  cancel(lessonId: string, body?: models.CancelLessonBody, options?: WriteOptions): Answer<models.Lesson> {
    return this.api.write('POST', path`/lessons/${lessonId}/cancel`, body, options);
  }

  /** Record who came to a lesson. Records the attendance of several sessions of a lesson, with one answer for each entry: what is wrong with one changes no other. The same again changes nothing, and of two recordings the one with the later `recorded_at` counts. Only the school may. Needs the scope `sessions:write`. */
  recordAttendance(lessonId: string, body: models.RecordLessonAttendanceBody, options?: WriteOptions): Answer<models.RecordLessonAttendance> {
    return this.api.write('POST', path`/lessons/${lessonId}/attendance`, body, options);
  }
}

/** `client.instructors` */
export class Instructors extends Resource {
  /** Get a roster. The lessons of an instructor on a day in the zone of the instructor, in order, with who takes part in each. What the school may not read of a member is null. Each read is in the access log of the members. Only the school may, and its instructor from 7 days before to 7 days after today. Needs the scope `sessions:read`. Some of its fields need `members:medical` too, to be read or written. */
  getRoster(instructorId: string, query: Query<'getRoster'>, options?: RequestOptions): Answer<models.Roster> {
    return this.api.read(path`/instructors/${instructorId}/roster`, query, options);
  }

  /** Search instructors. Instructors of all schools, newest first; around a place, nearest first. All filters combine. Needs the scope `instructors:read`. */
  list(query?: Query<'listInstructors'>, options?: RequestOptions): List<models.ListedInstructor> {
    return this.api.list(path`/instructors`, query, options);
  }

  /** Create an instructor. Adds an instructor to the school. `timezone` and `currency` are those of the school unless they are sent. Needs the scope `instructors:write`. */
  create(body: models.CreateInstructorBody, options?: WriteOptions): Answer<models.Instructor> {
    return this.api.write('POST', path`/instructors`, body, options);
  }

  /** Get an instructor. An instructor with schedule, service areas, rating and newest reviews. Needs the scope `instructors:read`. */
  get(instructorId: string, options?: RequestOptions): Answer<models.Instructor> {
    return this.api.read(path`/instructors/${instructorId}`, {}, options);
  }

  /** Update an instructor. Changes the fields that are sent; of the schedule, too. With `version`, only if the instructor is still at that version. Needs the scope `instructors:write`. */
  update(instructorId: string, body: models.UpdateInstructorBody, options?: WriteOptions): Answer<models.Instructor> {
    return this.api.write('PATCH', path`/instructors/${instructorId}`, body, options);
  }

  /** List free times of an instructor. Slots that can be booked as they stand, by default of the next 7 days, at most of 31. Needs the scope `instructors:read`. */
  getAvailability(instructorId: string, query?: Query<'getAvailability'>, options?: RequestOptions): Answer<models.Availability> {
    return this.api.read(path`/instructors/${instructorId}/availability`, query, options);
  }

  /** List reviews of an instructor. Reviews, newest first, without the names of those who wrote them. Needs the scope `instructors:read`. */
  listReviews(instructorId: string, query?: Query<'listReviews'>, options?: RequestOptions): List<models.Review> {
    return this.api.list(path`/instructors/${instructorId}/reviews`, query, options);
  }

  /** Review an instructor. One review for each completed session. Needs the scope `instructors:write`. */
  createReview(instructorId: string, body: models.CreateReviewBody, options?: WriteOptions): Answer<models.Review> {
    return this.api.write('POST', path`/instructors/${instructorId}/reviews`, body, options);
  }

  /** Create the calendar feed of an instructor. Makes the secret URL of the feed, and ends an earlier one. It is shown once. The key also needs `sessions:read`. Needs the scope `instructors:write`. Some of its fields need `sessions:read` too, to be read or written. */
  mintCalendarToken(instructorId: string, options?: WriteOptions): Answer<models.CalendarToken> {
    return this.api.write('POST', path`/instructors/${instructorId}/calendar-token`, undefined, options);
  }

  /** End the calendar feed of an instructor. Its URL is 404 from then on. Needs the scope `instructors:write`. */
  revokeCalendarToken(instructorId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/instructors/${instructorId}/calendar-token`, undefined, options);
  }
}

/** `client.classes` */
export class Classes extends Resource {
  /** List classes. Open classes of every school, newest first; a school sees all of its own. A class without levels or ages matches each. Needs the scope `sessions:read`. */
  list(query?: Query<'listClasses'>, options?: RequestOptions): List<models.SwimClass> {
    return this.api.list(path`/classes`, query, options);
  }

  /** Create a class. Adds a class as a draft, which has no lessons and which the school alone sees until it is opened. Only the school may. Needs the scope `sessions:write`. */
  create(body: models.CreateClassBody, options?: WriteOptions): Answer<models.SwimClass> {
    return this.api.write('POST', path`/classes`, body, options);
  }

  /** Get a class. A class: an open one of any school, or one of the school itself. Needs the scope `sessions:read`. */
  get(classId: string, options?: RequestOptions): Answer<models.SwimClass> {
    return this.api.read(path`/classes/${classId}`, {}, options);
  }

  /** Update a class. Changes the fields that are sent; those of `recurrence` that are left out stay. The lessons to come of an open class follow one by one, but for fields that were changed on the lesson itself: the time of day and the length move them; `count`, `until` and `except` add lessons, or cancel them as by the school. Places that are booked keep their prices. Only the school may. Needs the scope `sessions:write`. */
  update(classId: string, body: models.UpdateClassBody, options?: WriteOptions): Answer<models.UpdateClass> {
    return this.api.write('PATCH', path`/classes/${classId}`, body, options);
  }

  /** Remove a class. Removes a draft. Only the school may. Needs the scope `sessions:write`. */
  remove(classId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/classes/${classId}`, undefined, options);
  }

  /** Open a class. Makes the lessons of a draft and shows it to every account. A date that is past, outside the published hours, or on which the instructor, a lane or a closure is in the way is left out: `meta.warnings` names each as `date_left_out`. Opening again answers the same. Only the school may. Needs the scope `sessions:write`. */
  open(classId: string, body?: models.OpenClassBody, options?: WriteOptions): Answer<models.SwimClass> {
    return this.api.write('POST', path`/classes/${classId}/open`, body, options);
  }

  /** Close a class. Cancels the lessons to come from a date on, as by the school, and takes no more enrollments. Closing again answers the same. Only the school may. Needs the scope `sessions:write`. */
  close(classId: string, body?: models.CloseClassBody, options?: WriteOptions): Answer<models.CloseClass> {
    return this.api.write('POST', path`/classes/${classId}/close`, body, options);
  }

  /** List the enrollments in a class. Those of the account, or of everyone in a class of the school, newest first. Needs the scope `bookings:read`. */
  listEnrollments(classId: string, query?: Query<'listClassEnrollments'>, options?: RequestOptions): List<models.Enrollment> {
    return this.api.list(path`/classes/${classId}/enrollments`, query, options);
  }

  /** Enroll a member. Makes one booking of all lessons of the class from `starts_on` on that the member lacks. With `on_conflict: skip`, lessons that are full, closed, do not fit, or in which the member is busy are left out. It charges nothing: pay for the booking. Needs the scope `bookings:write`. */
  createEnrollment(classId: string, body: models.CreateEnrollmentBody, options?: WriteOptions): Answer<models.Enrollment> {
    return this.api.write('POST', path`/classes/${classId}/enrollments`, body, options);
  }
}

/** `client.closures` */
export class Closures extends Resource {
  /** List closures. The closures of the school, newest first. Needs the scope `sessions:read`. */
  list(query?: Query<'listClosures'>, options?: RequestOptions): List<models.Closure> {
    return this.api.list(path`/closures`, query, options);
  }

  /** Close pools or instructors. From the answer on no lesson is booked, held or moved into the time, and holds in it end. With `lessons: cancel`, lessons that overlap it and have not begun are cancelled as by the school in the background, and each account gets one e-mail about all of its own; with `keep` they stay and take no new members. A dry run counts them. Only the school may. Needs the scope `sessions:write`. */
  create(body: models.CreateClosureBody, options?: WriteOptions): Answer<models.Closure | undefined> {
    return this.api.write('POST', path`/closures`, body, options);
  }

  /** Get a closure. A closure of the school, with how far the cancellation of its lessons has come. Needs the scope `sessions:read`. */
  get(closureId: string, options?: RequestOptions): Answer<models.Closure> {
    return this.api.read(path`/closures/${closureId}`, {}, options);
  }

  /** Remove a closure. Gives the time back, as far as no other closure covers it, and offers it to the waitlist. It restores no lesson. Only a closure that is `done` can be removed. Needs the scope `sessions:write`. */
  remove(closureId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/closures/${closureId}`, undefined, options);
  }
}

/** `client.substitutions` */
export class Substitutions extends Resource {
  /** Substitute an instructor. Another instructor of the school takes over the lessons of a time, at unchanged prices. With `on_conflict: fail` nothing changes unless all lessons fit when they are checked before the first change. Only the school may. Needs the scope `sessions:write`. */
  create(body: models.CreateSubstitutionBody, options?: WriteOptions): Answer<models.CreateSubstitution> {
    return this.api.write('POST', path`/substitutions`, body, options);
  }
}

/** `client.members` */
export class Members extends Resource {
  /** Create the calendar feed of a member. Makes the secret URL of the feed, and ends an earlier one. It is shown once. The key also needs `sessions:read`. Needs the scope `members:write`. Some of its fields need `sessions:read` too, to be read or written. */
  mintCalendarToken(memberId: string, options?: WriteOptions): Answer<models.CalendarToken> {
    return this.api.write('POST', path`/members/${memberId}/calendar-token`, undefined, options);
  }

  /** End the calendar feed of a member. Its URL is 404 from then on. Needs the scope `members:write`. */
  revokeCalendarToken(memberId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/members/${memberId}/calendar-token`, undefined, options);
  }

  /** List members. The members that the account may read, newest first: its own, and for a school those that an active connection names. Needs the scope `members:read`. Some of its fields need `members:medical` too, to be read or written. */
  list(query?: Query<'listMembers'>, options?: RequestOptions): List<models.Member> {
    return this.api.list(path`/members`, query, options);
  }

  /** List members of an account. The members that the account may read, newest first: its own, and for a school those that an active connection names. Needs the scope `members:read`. Some of its fields need `members:medical` too, to be read or written. */
  listOfAccount(accountId: string, query?: Query<'listMembersOfAccount'>, options?: RequestOptions): List<models.Member> {
    return this.api.list(path`/accounts/${accountId}/members`, query, options);
  }

  /** Create a member. Adds a swimmer to the account. Needs the scope `members:write`. Some of its fields need `members:medical` too, to be read or written. */
  create(accountId: string, body: models.CreateMemberBody, options?: WriteOptions): Answer<models.Member> {
    return this.api.write('POST', path`/accounts/${accountId}/members`, body, options);
  }

  /** Get a member. Medical notes are answered with the scope `members:medical` alone. The read is recorded in the access log. Needs the scope `members:read`. */
  get(memberId: string, options?: RequestOptions): Answer<models.Member> {
    return this.api.read(path`/members/${memberId}`, {}, options);
  }

  /** Update a member. Changes the fields that are sent. Only the account that has the member may. Needs the scope `members:write`. Some of its fields need `members:medical` too, to be read or written. */
  update(memberId: string, body: models.UpdateMemberBody, options?: WriteOptions): Answer<models.Member> {
    return this.api.write('PATCH', path`/members/${memberId}`, body, options);
  }

  /** Erase a member. Deletes personal data for good, and cancels lessons to come. Past lessons stay without a name. Needs the scope `members:write`. */
  erase(memberId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/members/${memberId}`, undefined, options);
  }

  /** Get the progress of a member. Level, skills, sessions completed and attendance. Needs the scope `members:read`. */
  getProgress(memberId: string, options?: RequestOptions): Answer<models.Progress> {
    return this.api.read(path`/members/${memberId}/progress`, {}, options);
  }

  /** Assess a member. Records skills. When all skills of a level are mastered, the member reaches the next one. Needs the scope `members:write`. */
  assess(memberId: string, body: models.AssessMemberBody, options?: WriteOptions): Answer<models.Progress> {
    return this.api.write('POST', path`/members/${memberId}/progress`, body, options);
  }
}

/** `client.availability` */
export class Availability extends Resource {
  /** List free times of many instructors. Slots of all instructors that match, soonest first; with `first_only` the first slot of each. A slot with `member_id` is the body of `POST /sessions`. Needs the scope `instructors:read`. */
  list(query?: Query<'listAvailability'>, options?: RequestOptions): List<models.AvailableSlot> {
    return this.api.list(path`/availability`, query, options);
  }
}

/** `client.pools` */
export class Pools extends Resource {
  /** List pools. Pools of all schools, newest first. Needs the scope `instructors:read`. */
  list(query?: Query<'listPools'>, options?: RequestOptions): List<models.Pool> {
    return this.api.list(path`/pools`, query, options);
  }

  /** Create a pool. Adds a pool to the school. With `lanes`, no more groups than lanes use it at once. Needs the scope `instructors:write`. */
  create(body: models.CreatePoolBody, options?: WriteOptions): Answer<models.Pool> {
    return this.api.write('POST', path`/pools`, body, options);
  }

  /** Get a pool. A pool with address, place, time zone and lanes. Needs the scope `instructors:read`. */
  get(poolId: string, options?: RequestOptions): Answer<models.Pool> {
    return this.api.read(path`/pools/${poolId}`, {}, options);
  }

  /** Update a pool. Changes the fields that are sent. Needs the scope `instructors:write`. */
  update(poolId: string, body: models.UpdatePoolBody, options?: WriteOptions): Answer<models.Pool> {
    return this.api.write('PATCH', path`/pools/${poolId}`, body, options);
  }

  /** Remove a pool. A pool in which sessions are still to take place cannot be removed. Needs the scope `instructors:write`. */
  remove(poolId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/pools/${poolId}`, undefined, options);
  }
}

/** `client.me` */
export class Me extends Resource {
  /** Get the key and its account. Who the key belongs to, and what it may do. Any key may. */
  get(options?: RequestOptions): Answer<models.Me> {
    return this.api.read(path`/me`, {}, options);
  }
}

/** `client.accounts` */
export class Accounts extends Resource {
  /** Get an account. The account of the key, with its policies if it is a school. Needs the scope `accounts:read`. */
  get(accountId: string, options?: RequestOptions): Answer<models.Account> {
    return this.api.read(path`/accounts/${accountId}`, {}, options);
  }

  /** Update an account. Changes the fields that are sent. A new `email` counts once it is confirmed; policies hold from the next request on, for bookings made from then on. Needs the scope `accounts:write`. */
  update(accountId: string, body: models.UpdateAccountBody, options?: WriteOptions): Answer<models.Account> {
    return this.api.write('PATCH', path`/accounts/${accountId}`, body, options);
  }

  /** Erase an account. A test account is erased at once. A live one is read-only for seven days, in which it can be restored; then lessons to come are cancelled, authorized payments voided, and all personal data is deleted. Needs the scope `accounts:erase`. */
  erase(accountId: string, options?: DeleteOptions): Answer<models.EraseAccount | undefined> {
    return this.api.write('DELETE', path`/accounts/${accountId}`, undefined, options);
  }

  /** Export an account. All data of the account as one document, streamed. Needs the scope `accounts:read`. */
  export(accountId: string, options?: RequestOptions): Answer<models.AccountExport> {
    return this.api.read(path`/accounts/${accountId}/export`, {}, options);
  }

  /** Restore an account. Takes back the erasure of an account that is closing, until its `erases_at`. Needs the scope `accounts:erase`. */
  restore(accountId: string, options?: WriteOptions): Answer<models.Account> {
    return this.api.write('POST', path`/accounts/${accountId}/restore`, undefined, options);
  }

  /** Get the statement of a month. What a school earned and gave in a month of its time zone, by day. `Accept: text/csv` gets it as CSV. Needs the scope `payments:read`. */
  getStatement(accountId: string, query: Query<'getStatement'>, options?: RequestOptions): Answer<models.Statement> {
    return this.api.read(path`/accounts/${accountId}/statement`, query, options);
  }
}

/** `client.messages` */
export class Messages extends Resource {
  /** List e-mails. The e-mails that were sent to the account, newest first, with their state but without their text. Needs the scope `accounts:read`. */
  list(accountId: string, query?: Query<'listMessages'>, options?: RequestOptions): List<models.Message> {
    return this.api.list(path`/accounts/${accountId}/messages`, query, options);
  }
}

/** `client.accessLog` */
export class AccessLog extends Resource {
  /** List reads of personal data. Which key read which member, when, and from which network; newest first. Entries are kept for a year. Needs the scope `accounts:read`. */
  list(accountId: string, query?: Query<'listAccessLog'>, options?: RequestOptions): List<models.AccessEntry> {
    return this.api.list(path`/accounts/${accountId}/access-log`, query, options);
  }
}

/** `client.keys` */
export class Keys extends Resource {
  /** List API keys. The keys of the account, newest first, without their secrets. Needs the scope `keys:read`. */
  list(accountId: string, query?: Query<'listKeys'>, options?: RequestOptions): List<models.ApiKey> {
    return this.api.list(path`/accounts/${accountId}/keys`, query, options);
  }

  /** Create an API key. The secret is shown once. A key grants no scope that the key of the request lacks. Needs the scope `keys:write`. */
  create(accountId: string, body: models.CreateKeyBody, options?: WriteOptions): Answer<models.ApiKeyWithText> {
    return this.api.write('POST', path`/accounts/${accountId}/keys`, body, options);
  }

  /** Get an API key. A key without its secret. Needs the scope `keys:read`. */
  get(accountId: string, keyId: string, options?: RequestOptions): Answer<models.ApiKey> {
    return this.api.read(path`/accounts/${accountId}/keys/${keyId}`, {}, options);
  }

  /** Update an API key. Changes name, scopes or allow-list, everywhere within a second. The expiry is chosen when a key is made, and cannot be changed. Needs the scope `keys:write`. */
  update(accountId: string, keyId: string, body: models.UpdateKeyBody, options?: WriteOptions): Answer<models.ApiKey> {
    return this.api.write('PATCH', path`/accounts/${accountId}/keys/${keyId}`, body, options);
  }

  /** Roll an API key. Makes a key with the same rights, and ends the old one after the overlap. Needs the scope `keys:write`. */
  roll(accountId: string, keyId: string, body?: models.RollKeyBody, options?: WriteOptions): Answer<models.ApiKeyWithText> {
    return this.api.write('POST', path`/accounts/${accountId}/keys/${keyId}/roll`, body, options);
  }

  /** Revoke an API key. Ends the key everywhere within a second, for good. Needs the scope `keys:write`. */
  revoke(accountId: string, keyId: string, options?: WriteOptions): Answer<models.ApiKey> {
    return this.api.write('POST', path`/accounts/${accountId}/keys/${keyId}/revoke`, undefined, options);
  }
}

/** `client.families` */
export class Families extends Resource {
  /** List families. The accounts with an active connection to the school, newest first, and what they owe it. One whose connection has ended stays as long as it owes. `due=true`, for which a key needs the scope `payments:read` too, lists only those that owe. Needs the scope `members:read`. Some of its fields need `payments:read` too, to be read or written. */
  list(query?: Query<'listFamilies'>, options?: RequestOptions): List<models.Family> {
    return this.api.list(path`/families`, query, options);
  }

  /** Make a family. Makes an account for a family of the school, always a new one: the answer says nothing about its address. Until somebody of the family claims it, the school may do for it what a family may, but for API keys. Needs the scope `members:write`. Some of its fields need `members:medical` too, to be read or written. */
  createFamily(body: models.CreateFamilyBody, options?: WriteOptions): Answer<models.CreatedFamily> {
    return this.api.write('POST', path`/families`, body, options);
  }

  /** Get a family. A family of `GET /families`, with what it owes, when it was invited and claimed its account, and what it lets the school charge. Needs the scope `members:read`. Some of its fields need `payments:read` too, to be read or written. */
  getFamily(accountId: string, options?: RequestOptions): Answer<models.FamilyDetails> {
    return this.api.read(path`/families/${accountId}`, {}, options);
  }

  /** Invite a family. Mails a link to the address of a family that the school has made: who opens it sets a password, or adds the account to those of its user, and owns it from then on. A later link ends the one before. At most 20 a day, and 500 once a family has claimed its account; to one address at most 5 a day. The sandbox sends no mail: claim the account there instead. Needs the scope `members:write`. */
  inviteFamily(accountId: string, options?: WriteOptions): Answer<models.InviteFamily> {
    return this.api.write('POST', path`/families/${accountId}/invite`, undefined, options);
  }
}

/** `client.imports` */
export class Imports extends Resource {
  /** List imports. The imports of the school, newest first. Needs the scope `members:read`. */
  list(query?: Query<'listImports'>, options?: RequestOptions): List<models.DataImport> {
    return this.api.list(path`/imports`, query, options);
  }

  /** Create an import. An import of families with their members, by the school: add its rows, then run it. One that is not run within seven days is removed. At most ten are open or running: a further one takes the place of the oldest that was not run. Needs the scope `members:write`. */
  create(body: models.CreateImportBody, options?: WriteOptions): Answer<models.DataImport> {
    return this.api.write('POST', path`/imports`, body, options);
  }

  /** Get an import. An import of the school, and how far it has come. Needs the scope `members:read`. */
  get(importId: string, options?: RequestOptions): Answer<models.DataImport> {
    return this.api.read(path`/imports/${importId}`, {}, options);
  }

  /** Add rows to an import. Appends rows to an import that is open, at most 10,000 in all. Each is one member with its family: `{external_id?, name, date_of_birth, swimming_level?, medical_notes?, emergency_contact?, family {external_id?, email, name, locale?}}`. What is wrong with a row is reported once the import runs. Medical notes need the scope `members:medical`. Needs the scope `members:write`. Some of its fields need `members:medical` too, to be read or written. */
  addRows(importId: string, body: models.AddImportRowsBody, options?: WriteOptions): Answer<models.DataImport> {
    return this.api.write('POST', path`/imports/${importId}/rows`, body, options);
  }

  /** Run an import. Makes and changes the families and members of its rows in the background; a dry run counts what it would do. A member is matched by `external_id`, else by name and date of birth in its family; a family by `external_id`, else by e-mail among those that this school has made. Fields that a row leaves out stay. Claimed families stay as they are. Nobody gets an e-mail. The rows are removed once they were processed. A second call answers the same import. Needs the scope `members:write`. */
  run(importId: string, options?: WriteOptions): Answer<models.DataImport | undefined> {
    return this.api.write('POST', path`/imports/${importId}/run`, undefined, options);
  }
}

/** `client.connections` */
export class Connections extends Resource {
  /** List connections. The connections of the account, newest first: those of a family with schools, or of a school with families. Needs the scope `members:read`. */
  list(query?: Query<'listConnections'>, options?: RequestOptions): List<models.Connection> {
    return this.api.list(path`/connections`, query, options);
  }

  /** Connect with a school. Lets a school read and book members of the account, as a booking does. Members are added to a connection that is active; one that the account or time has ended begins anew with these members alone. Needs the scope `members:write`. */
  create(body: models.CreateConnectionBody, options?: WriteOptions): Answer<models.Connection> {
    return this.api.write('POST', path`/connections`, body, options);
  }

  /** Get a connection. A connection of the account, active or ended. Needs the scope `members:read`. */
  get(connectionId: string, options?: RequestOptions): Answer<models.Connection> {
    return this.api.read(path`/connections/${connectionId}`, {}, options);
  }

  /** Update a connection. The account changes `member_ids`: lessons to come of a member that is left out are cancelled as by the account. The school changes `external_id`, and sends `status: active` to reopen a connection that it has ended. Needs the scope `members:write`. */
  update(connectionId: string, body: models.UpdateConnectionBody, options?: WriteOptions): Answer<models.Connection> {
    return this.api.write('PATCH', path`/connections/${connectionId}`, body, options);
  }

  /** End a connection. By the school or the account. Lessons to come are cancelled as by the side that ends it, and the school may not read the members any more; records of lessons given, and what is due, stay. Ending it twice answers the same. Needs the scope `members:write`. */
  end(connectionId: string, body?: models.EndConnectionBody, options?: WriteOptions): Answer<models.Connection> {
    return this.api.write('POST', path`/connections/${connectionId}/end`, body, options);
  }
}

/** `client.bookings` */
export class Bookings extends Resource {
  /** List bookings. The bookings that the account may see, newest first; a school sees those of its instructors. Needs the scope `bookings:read`. */
  list(query?: Query<'listBookings'>, options?: RequestOptions): List<models.Booking> {
    return this.api.list(path`/bookings`, query, options);
  }

  /** Create a booking. Books all sessions or none, for one to ten members of one account. A rejection names each date that is not free, with times nearby that are. It charges nothing: pay with `POST /payments`. Needs the scope `bookings:write`. */
  create(body: models.CreateBookingBody, options?: WriteOptions): Answer<models.Booking> {
    return this.api.write('POST', path`/bookings`, body, options);
  }

  /** Get a booking. A booking with its sessions and its money as they are now. Needs the scope `bookings:read`. */
  get(bookingId: string, options?: RequestOptions): Answer<models.Booking> {
    return this.api.read(path`/bookings/${bookingId}`, {}, options);
  }

  /** Update a booking. Changes notes and metadata, and the payment method by which the family consents to be charged for the booking. Times change by `PATCH /sessions/{session_id}`. Needs the scope `bookings:write`. */
  update(bookingId: string, body: models.UpdateBookingBody, options?: WriteOptions): Answer<models.Booking> {
    return this.api.write('PATCH', path`/bookings/${bookingId}`, body, options);
  }

  /** Cancel a booking. Cancels all future sessions of the booking. What was paid beyond fees is refunded, or becomes a makeup credit. Cancelling again answers the same. Needs the scope `bookings:write`. */
  cancel(bookingId: string, body?: models.CancelBookingBody, options?: WriteOptions): Answer<models.Booking> {
    return this.api.write('POST', path`/bookings/${bookingId}/cancel`, body, options);
  }

  /** Quote the cancellation of a booking. What a cancellation of all its future sessions would cost and give back now. It changes nothing. Needs the scope `bookings:read`. */
  quoteCancellation(bookingId: string, options?: RequestOptions): Answer<models.QuoteBookingCancellation> {
    return this.api.read(path`/bookings/${bookingId}/cancellation-quote`, {}, options);
  }

  /** List bookings of an account. The bookings that the account may see, newest first; a school sees those of its instructors. Needs the scope `bookings:read`. */
  listOfAccount(accountId: string, query?: Query<'listBookingsOfAccount'>, options?: RequestOptions): List<models.Booking> {
    return this.api.list(path`/accounts/${accountId}/bookings`, query, options);
  }
}

/** `client.credits` */
export class Credits extends Resource {
  /** List makeup credits. The makeup credits that the account has, or has had, newest first. Needs the scope `payments:read`. */
  list(accountId: string, query?: Query<'listCredits'>, options?: RequestOptions): List<models.Credit> {
    return this.api.list(path`/accounts/${accountId}/credits`, query, options);
  }

  /** List lessons for a makeup credit. Lessons of the school of the credit, in its currency, that begin before it expires and in which the member could book a place: free, fitting, and while the member has nothing else. By date, earliest first; none once nothing is left of the credit. Needs the scope `bookings:read`. */
  listOptions(creditId: string, query?: Query<'listCreditOptions'>, options?: RequestOptions): List<models.Lesson> {
    return this.api.list(path`/credits/${creditId}/options`, query, options);
  }
}

/** `client.enrollments` */
export class Enrollments extends Resource {
  /** List enrollments. The enrollments of the account, or in the classes of the school, newest first. Needs the scope `bookings:read`. */
  list(query?: Query<'listEnrollments'>, options?: RequestOptions): List<models.Enrollment> {
    return this.api.list(path`/enrollments`, query, options);
  }

  /** Get an enrollment. An enrollment of the account, or in a class of the school. Needs the scope `bookings:read`. */
  get(enrollmentId: string, options?: RequestOptions): Answer<models.Enrollment> {
    return this.api.read(path`/enrollments/${enrollmentId}`, {}, options);
  }

  /** End an enrollment. Cancels its sessions after a date, under the policies with which it was booked. It ends once that date is over. The same again changes nothing. Needs the scope `bookings:write`. */
  end(enrollmentId: string, body: models.EndEnrollmentBody, options?: WriteOptions): Answer<models.Enrollment> {
    return this.api.write('POST', path`/enrollments/${enrollmentId}/end`, body, options);
  }
}

/** `client.holds` */
export class Holds extends Resource {
  /** List holds. The holds of the account, newest first. Needs the scope `bookings:read`. */
  list(query?: Query<'listHolds'>, options?: RequestOptions): List<models.Hold> {
    return this.api.list(path`/holds`, query, options);
  }

  /** Hold times. Reserves times, or places in lessons, for some minutes, so that nobody else books them. Book them with `hold_id`. Needs the scope `bookings:write`. */
  create(body: models.CreateHoldBody, options?: WriteOptions): Answer<models.Hold> {
    return this.api.write('POST', path`/holds`, body, options);
  }

  /** Get a hold. A hold, also after it has expired or was booked. Needs the scope `bookings:read`. */
  get(holdId: string, options?: RequestOptions): Answer<models.Hold> {
    return this.api.read(path`/holds/${holdId}`, {}, options);
  }

  /** Release a hold. Frees the times of the hold at once. Needs the scope `bookings:write`. */
  remove(holdId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/holds/${holdId}`, undefined, options);
  }
}

/** `client.waitlist` */
export class Waitlist extends Resource {
  /** List waitlist entries. The entries that the account may see, newest first. Needs the scope `bookings:read`. */
  list(query?: Query<'listWaitlist'>, options?: RequestOptions): List<models.WaitlistEntry> {
    return this.api.list(path`/waitlist`, query, options);
  }

  /** Join the waitlist. What becomes free is offered to the first in line whom it fits, as a hold of 30 minutes: time of the instructor, or, with `lesson_id`, a place in the lesson, at once where there is one. Book it with `hold_id`. With `class_id` a place in all lessons to come of the class is offered together: enroll with `hold_id`. Needs the scope `bookings:write`. */
  join(body: models.JoinWaitlistBody, options?: WriteOptions): Answer<models.WaitlistEntry> {
    return this.api.write('POST', path`/waitlist`, body, options);
  }

  /** Get a waitlist entry. An entry, with its hold while time is offered. Needs the scope `bookings:read`. */
  getEntry(waitlistId: string, options?: RequestOptions): Answer<models.WaitlistEntry> {
    return this.api.read(path`/waitlist/${waitlistId}`, {}, options);
  }

  /** Leave the waitlist. Removes the entry, and releases what is offered to it. Needs the scope `bookings:write`. */
  leave(waitlistId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/waitlist/${waitlistId}`, undefined, options);
  }
}

/** `client.paymentMethods` */
export class PaymentMethods extends Resource {
  /** List payment methods. The payment methods of the account, newest first. Needs the scope `payments:read`. */
  list(accountId: string, query?: Query<'listPaymentMethods'>, options?: RequestOptions): List<models.PaymentMethod> {
    return this.api.list(path`/accounts/${accountId}/payment-methods`, query, options);
  }

  /** Add a payment method. Stores a token of the payment processor; never send a card number. The first one becomes the default. Needs the scope `payments:write`. */
  add(accountId: string, body: models.AddPaymentMethodBody, options?: WriteOptions): Answer<models.PaymentMethod> {
    return this.api.write('POST', path`/accounts/${accountId}/payment-methods`, body, options);
  }

  /** Set up a payment method. Answers the secret with which Stripe.js (`confirmSetup`) takes a card of the account and has its bank check it, so that it can be charged later without its owner. Then add the id of the payment method that Stripe.js answers. In the sandbox `client_secret` is null: add a test card. Needs the scope `payments:write`. */
  setUp(accountId: string, options?: WriteOptions): Answer<models.SetUpPaymentMethod> {
    return this.api.write('POST', path`/accounts/${accountId}/payment-methods/setup`, undefined, options);
  }

  /** Remove a payment method of an account. Of those that are left the newest becomes the default, if this was it. Needs the scope `payments:write`. */
  removeOfAccount(accountId: string, paymentMethodId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/accounts/${accountId}/payment-methods/${paymentMethodId}`, undefined, options);
  }

  /** Get a payment method. Brand, last four digits and expiry of a card. Needs the scope `payments:read`. */
  get(paymentMethodId: string, options?: RequestOptions): Answer<models.PaymentMethod> {
    return this.api.read(path`/payment-methods/${paymentMethodId}`, {}, options);
  }

  /** Update a payment method. Makes it the default, and the earlier default an ordinary one, at once. Needs the scope `payments:write`. */
  update(paymentMethodId: string, body: models.UpdatePaymentMethodBody, options?: WriteOptions): Answer<models.PaymentMethod> {
    return this.api.write('PATCH', path`/payment-methods/${paymentMethodId}`, body, options);
  }

  /** Remove a payment method. Of those that are left the newest becomes the default, if this was it. Needs the scope `payments:write`. */
  remove(paymentMethodId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/payment-methods/${paymentMethodId}`, undefined, options);
  }
}

/** `client.payments` */
export class Payments extends Resource {
  /** List payments. The payments that the account may see, newest first: those that it made, and for a school those for its lessons. Needs the scope `payments:read`. */
  list(query?: Query<'listPayments'>, options?: RequestOptions): List<models.Payment> {
    return this.api.list(path`/payments`, query, options);
  }

  /** Pay for a booking. Charges a payment method, or with `capture: false` authorizes the amount. A decline is 402 with the failed payment. With `method` the school records money that it got elsewhere; with neither it charges the method of the booking, by the family’s consent. Send an `Idempotency-Key`. Needs the scope `payments:write`. */
  create(body: models.CreatePaymentBody, options?: WriteOptions): Answer<models.Payment> {
    return this.api.write('POST', path`/payments`, body, options);
  }

  /** Update a payment. Changes its metadata. Needs the scope `payments:write`. */
  update(paymentId: string, body: models.UpdatePaymentBody, options?: WriteOptions): Answer<models.Payment> {
    return this.api.write('PATCH', path`/payments/${paymentId}`, body, options);
  }

  /** Get a payment. A payment as it is now; one that is `pending` is settled within a minute. Needs the scope `payments:read`. */
  get(paymentId: string, options?: RequestOptions): Answer<models.Payment> {
    return this.api.read(path`/payments/${paymentId}`, {}, options);
  }

  /** Capture a payment. Charges an authorized payment. Only the school may. Needs the scope `payments:write`. */
  capture(paymentId: string, options?: WriteOptions): Answer<models.Payment> {
    return this.api.write('POST', path`/payments/${paymentId}/capture`, undefined, options);
  }

  /** Void a payment. Releases an authorized payment without a charge. Only the school may. Needs the scope `payments:write`. */
  void(paymentId: string, options?: WriteOptions): Answer<models.Payment> {
    return this.api.write('POST', path`/payments/${paymentId}/void`, undefined, options);
  }

  /** List refunds of a payment. Refunds of the payment, newest first, automatic ones included. Needs the scope `payments:read`. */
  listRefunds(paymentId: string, query?: Query<'listRefunds'>, options?: RequestOptions): List<models.Refund> {
    return this.api.list(path`/payments/${paymentId}/refunds`, query, options);
  }

  /** Refund a payment. Gives back an amount, or without one all that is left. Of a recorded payment it records that the school gave it back. Only the school may. Needs the scope `payments:write`. */
  createRefund(paymentId: string, body: models.CreateRefundBody, options?: WriteOptions): Answer<models.Refund> {
    return this.api.write('POST', path`/payments/${paymentId}/refunds`, body, options);
  }

  /** List payments of an account. The payments that the account may see, newest first: those that it made, and for a school those for its lessons. Needs the scope `payments:read`. */
  listOfAccount(accountId: string, query?: Query<'listPaymentsOfAccount'>, options?: RequestOptions): List<models.Payment> {
    return this.api.list(path`/accounts/${accountId}/payments`, query, options);
  }
}

/** `client.events` */
export class Events extends Resource {
  /** List events. Events of the last 90 days: newest first, or ascending from `after_sequence`. Needs the scope `events:read`. */
  list(query?: Query<'listEvents'>, options?: RequestOptions): List<models.AccountEvent> {
    return this.api.list(path`/events`, query, options);
  }

  /** Get an event. One event, as it was listed and delivered. Needs the scope `events:read`. */
  get(eventId: string, options?: RequestOptions): Answer<models.AccountEvent> {
    return this.api.read(path`/events/${eventId}`, {}, options);
  }
}

/** `client.requests` */
export class Requests extends Resource {
  /** List requests. Requests of the account’s keys and of its users in the dashboard, newest first, for seven days; without bodies and headers. An entry is listed a few seconds after its answer. Needs the scope `keys:read`. */
  list(query?: Query<'listRequests'>, options?: RequestOptions): List<models.RequestLogEntry> {
    return this.api.list(path`/requests`, query, options);
  }

  /** Get a request. One entry of the request log. `GET /events?request_id=` lists the events that it caused. Needs the scope `keys:read`. */
  get(requestLogId: string, options?: RequestOptions): Answer<models.RequestLogEntry> {
    return this.api.read(path`/requests/${requestLogId}`, {}, options);
  }
}

/** `client.usage` */
export class Usage extends Resource {
  /** Get the usage. How many requests the account’s API keys made in each clock hour (UTC) of the environment, against the limits: by default in the last 24 hours, at most in the last seven days. The range is widened to whole hours. A request is counted a few seconds after its answer, in the hour in which it arrived; users of the dashboard have a limit of their own, and are not counted. Needs the scope `keys:read`. */
  get(query?: Query<'getUsage'>, options?: RequestOptions): Answer<models.Usage> {
    return this.api.read(path`/usage`, query, options);
  }
}

/** `client.webhookEndpoints` */
export class WebhookEndpoints extends Resource {
  /** List webhook endpoints. The webhook endpoints of the account, newest first, without their secrets. Needs the scope `webhooks:read`. */
  list(query?: Query<'listWebhookEndpoints'>, options?: RequestOptions): List<models.WebhookEndpoint> {
    return this.api.list(path`/webhook-endpoints`, query, options);
  }

  /** Create a webhook endpoint. Events are delivered to its URL, signed as Standard Webhooks 1.0 define. The secret is shown once. Needs the scopes `webhooks:write` and `events:read`. */
  create(body: models.CreateWebhookEndpointBody, options?: WriteOptions): Answer<models.WebhookEndpointWithSecret> {
    return this.api.write('POST', path`/webhook-endpoints`, body, options);
  }

  /** Get a webhook endpoint. A webhook endpoint without its secret. Needs the scope `webhooks:read`. */
  get(webhookEndpointId: string, options?: RequestOptions): Answer<models.WebhookEndpoint> {
    return this.api.read(path`/webhook-endpoints/${webhookEndpointId}`, {}, options);
  }

  /** Update a webhook endpoint. Changes the fields that are sent. `enabled: true` enables one that the service disabled. Needs the scopes `webhooks:write` and `events:read`. */
  update(webhookEndpointId: string, body: models.UpdateWebhookEndpointBody, options?: WriteOptions): Answer<models.WebhookEndpoint> {
    return this.api.write('PATCH', path`/webhook-endpoints/${webhookEndpointId}`, body, options);
  }

  /** Remove a webhook endpoint. Ends deliveries to it. Needs the scope `webhooks:write`. */
  remove(webhookEndpointId: string, options?: DeleteOptions): Answer<void> {
    return this.api.write('DELETE', path`/webhook-endpoints/${webhookEndpointId}`, undefined, options);
  }

  /** Rotate the secret of a webhook endpoint. The old secret signs beside the new one for 24 hours. The new one is shown once. Needs the scopes `webhooks:write` and `events:read`. */
  rotateSecret(webhookEndpointId: string, options?: WriteOptions): Answer<models.WebhookEndpointWithSecret> {
    return this.api.write('POST', path`/webhook-endpoints/${webhookEndpointId}/rotate-secret`, undefined, options);
  }

  /** Send a test event. Delivers an event `ping` to the endpoint; it is in no list of events. Needs the scopes `webhooks:write` and `events:read`. */
  ping(webhookEndpointId: string, options?: WriteOptions): Answer<models.WebhookDelivery> {
    return this.api.write('POST', path`/webhook-endpoints/${webhookEndpointId}/ping`, undefined, options);
  }

  /** Replay events. Delivers the events after a sequence again, in their order. Needs the scopes `webhooks:write` and `events:read`. */
  replayEvents(webhookEndpointId: string, body: models.ReplayWebhookEventsBody, options?: WriteOptions): Answer<models.ReplayWebhookEvents> {
    return this.api.write('POST', path`/webhook-endpoints/${webhookEndpointId}/replay`, body, options);
  }

  /** List deliveries of a webhook endpoint. Deliveries, newest first, with each attempt and the response to it. Needs the scopes `webhooks:read` and `events:read`. */
  listDeliveries(webhookEndpointId: string, query?: Query<'listWebhookDeliveries'>, options?: RequestOptions): List<models.WebhookDelivery> {
    return this.api.list(path`/webhook-endpoints/${webhookEndpointId}/deliveries`, query, options);
  }

  /** Get a delivery. A delivery with each attempt and the response to it. Needs the scopes `webhooks:read` and `events:read`. */
  getDelivery(webhookEndpointId: string, webhookDeliveryId: string, options?: RequestOptions): Answer<models.WebhookDeliveryWithRequest> {
    return this.api.read(path`/webhook-endpoints/${webhookEndpointId}/deliveries/${webhookDeliveryId}`, {}, options);
  }

  /** Retry a delivery. Sends it again at once. Needs the scopes `webhooks:write` and `events:read`. */
  retryDelivery(webhookEndpointId: string, webhookDeliveryId: string, options?: WriteOptions): Answer<models.WebhookDelivery> {
    return this.api.write('POST', path`/webhook-endpoints/${webhookEndpointId}/deliveries/${webhookDeliveryId}/retry`, undefined, options);
  }
}

/** `client.sandbox` */
export class Sandbox extends Resource {
  /** Get the account's clock. The time of the test account, and whether it is being advanced. Needs the scope `accounts:write`. */
  getClock(options?: RequestOptions): Answer<models.SandboxClock> {
    return this.api.read(path`/sandbox/clock`, {}, options);
  }

  /** Advance the account's clock. Moves the clock of the test account forward, by at most 365 days. What falls due until then happens before the answer. Needs the scope `accounts:write`. */
  advanceClock(body: models.AdvanceSandboxClockBody, options?: WriteOptions): Answer<models.SandboxClock> {
    return this.api.write('POST', path`/sandbox/clock`, body, options);
  }

  /** Reset the account. Removes all that the test account owns, makes its demo data anew and sets its clock back to real time. API keys stay, sequences of events go on, and other accounts see shared lessons to come as cancelled. Objects made while it runs may be removed too. Needs the scope `accounts:write`. */
  reset(options?: WriteOptions): Answer<models.SandboxClock> {
    return this.api.write('POST', path`/sandbox/reset`, undefined, options);
  }

  /** Authenticate a payment in the sandbox. Ends the 3-D Secure of a payment that is `pending` with a `next_action`, as its cardholder would at the bank: it succeeds, or fails. In live the processor’s own library does this with the `client_secret`. Needs the scope `payments:write`. */
  authenticatePayment(paymentId: string, body: models.AuthenticateSandboxPaymentBody, options?: WriteOptions): Answer<models.Payment> {
    return this.api.write('POST', path`/sandbox/payments/${paymentId}/authenticate`, body, options);
  }

  /** Claim a family in the sandbox. Claims the account of a family that the school has made, as its owner would by the link of a mail: from then on the school has the rights of a connection. Answers a key of the family, once. Needs the scope `members:write`. */
  claimFamily(accountId: string, options?: WriteOptions): Answer<models.ClaimSandboxFamily> {
    return this.api.write('POST', path`/sandbox/families/${accountId}/claim`, undefined, options);
  }
}

/** A client with every resource of the API. */
export class Resources {
  readonly sessions: Sessions;
  readonly lessons: Lessons;
  readonly instructors: Instructors;
  readonly classes: Classes;
  readonly closures: Closures;
  readonly substitutions: Substitutions;
  readonly members: Members;
  readonly availability: Availability;
  readonly pools: Pools;
  readonly me: Me;
  readonly accounts: Accounts;
  readonly messages: Messages;
  readonly accessLog: AccessLog;
  readonly keys: Keys;
  readonly families: Families;
  readonly imports: Imports;
  readonly connections: Connections;
  readonly bookings: Bookings;
  readonly credits: Credits;
  readonly enrollments: Enrollments;
  readonly holds: Holds;
  readonly waitlist: Waitlist;
  readonly paymentMethods: PaymentMethods;
  readonly payments: Payments;
  readonly events: Events;
  readonly requests: Requests;
  readonly usage: Usage;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly sandbox: Sandbox;

  constructor(api: Api) {
    this.sessions = new Sessions(api);
    this.lessons = new Lessons(api);
    this.instructors = new Instructors(api);
    this.classes = new Classes(api);
    this.closures = new Closures(api);
    this.substitutions = new Substitutions(api);
    this.members = new Members(api);
    this.availability = new Availability(api);
    this.pools = new Pools(api);
    this.me = new Me(api);
    this.accounts = new Accounts(api);
    this.messages = new Messages(api);
    this.accessLog = new AccessLog(api);
    this.keys = new Keys(api);
    this.families = new Families(api);
    this.imports = new Imports(api);
    this.connections = new Connections(api);
    this.bookings = new Bookings(api);
    this.credits = new Credits(api);
    this.enrollments = new Enrollments(api);
    this.holds = new Holds(api);
    this.waitlist = new Waitlist(api);
    this.paymentMethods = new PaymentMethods(api);
    this.payments = new Payments(api);
    this.events = new Events(api);
    this.requests = new Requests(api);
    this.usage = new Usage(api);
    this.webhookEndpoints = new WebhookEndpoints(api);
    this.sandbox = new Sandbox(api);
  }
}
