import { Controller } from '@nestjs/common';
import {
  type BusEvent,
  type SessionObject,
  sessionAttendanceRecorded,
  sessionCancelled,
  sessionCompleted,
  sessionRescheduled,
  sessionUpdated,
} from '@swim/contracts';
import { On } from '@swim/messaging';
import { SessionsFollower } from './sessions-follower.service.js';

/** Consumes every change of a session: each may change the amount and the status of its booking. */
@Controller()
export class SessionsFollowerController {
  constructor(private readonly follower: SessionsFollower) {}

  @On(sessionUpdated)
  async onUpdated(event: BusEvent<SessionObject>): Promise<void> {
    await this.follower.consume(event);
  }

  @On(sessionRescheduled)
  async onRescheduled(event: BusEvent<SessionObject>): Promise<void> {
    await this.follower.consume(event);
  }

  @On(sessionCompleted)
  async onCompleted(event: BusEvent<SessionObject>): Promise<void> {
    await this.follower.consume(event);
  }

  @On(sessionAttendanceRecorded)
  async onAttendance(event: BusEvent<SessionObject>): Promise<void> {
    await this.follower.consume(event);
  }

  @On(sessionCancelled)
  async onCancelled(event: BusEvent<SessionObject>): Promise<void> {
    await this.follower.consume(event);
  }
}
