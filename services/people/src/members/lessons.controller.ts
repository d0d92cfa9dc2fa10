import { Controller } from '@nestjs/common';
import {
  type BusEvent,
  type SessionObject,
  sessionAttendanceRecorded,
  sessionCancelled,
  sessionCompleted,
  sessionCreated,
  sessionRescheduled,
  sessionUpdated,
} from '@swim/contracts';
import { On } from '@swim/messaging';
import { SchoolRightsService } from './school-rights.service.js';

/** Consumes every event of a session: each may change the member's counts and the accounts that may read the member. */
@Controller()
export class LessonsController {
  constructor(private readonly rights: SchoolRightsService) {}

  @On(sessionCreated)
  async onCreated(event: BusEvent<SessionObject>): Promise<void> {
    await this.rights.consume(event);
  }

  @On(sessionUpdated)
  async onUpdated(event: BusEvent<SessionObject>): Promise<void> {
    await this.rights.consume(event);
  }

  @On(sessionRescheduled)
  async onRescheduled(event: BusEvent<SessionObject>): Promise<void> {
    await this.rights.consume(event);
  }

  @On(sessionCompleted)
  async onCompleted(event: BusEvent<SessionObject>): Promise<void> {
    await this.rights.consume(event);
  }

  @On(sessionAttendanceRecorded)
  async onAttendance(event: BusEvent<SessionObject>): Promise<void> {
    await this.rights.consume(event);
  }

  @On(sessionCancelled)
  async onCancelled(event: BusEvent<SessionObject>): Promise<void> {
    await this.rights.consume(event);
  }
}
