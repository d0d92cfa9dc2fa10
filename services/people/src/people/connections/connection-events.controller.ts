import { Controller } from '@nestjs/common';
import {
  type BusEvent,
  paymentAuthorized,
  paymentFailed,
  paymentSucceeded,
  type SessionObject,
  sessionAttendanceRecorded,
  sessionCancelled,
  sessionCompleted,
  sessionCreated,
  sessionRescheduled,
  sessionUpdated,
  waitlistJoined,
} from '@swim/contracts';
import { On } from '@swim/messaging';
import { LessonsService } from '../members/lessons/lessons.service.js';
import { ConnectionActivity, type Shared } from './connection-activity.service.js';

/** Events of what accounts have with schools. */
@Controller()
export class ConnectionEventsController {
  constructor(
    private readonly lessons: LessonsService,
    private readonly activity: ConnectionActivity,
  ) {}

  @On(sessionCreated)
  @On(sessionUpdated)
  @On(sessionRescheduled)
  @On(sessionCompleted)
  @On(sessionAttendanceRecorded)
  @On(sessionCancelled)
  async consumeSession(event: BusEvent<SessionObject>): Promise<void> {
    await Promise.all([this.lessons.consume(event), this.activity.note(event)]);
  }

  @On(paymentAuthorized)
  @On(paymentSucceeded)
  @On(paymentFailed)
  @On(waitlistJoined)
  consume(event: BusEvent<Shared>): Promise<void> {
    return this.activity.note(event);
  }
}
