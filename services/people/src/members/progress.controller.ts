import { Controller } from '@nestjs/common';
import {
  assessMember,
  type BusEvent,
  getMemberProgress,
  type ParsedOf,
  type Progress,
  type SessionObject,
  sessionAttendanceRecorded,
  sessionCancelled,
  sessionCompleted,
} from '@swim/contracts';
import { type Call, On, Serve } from '@swim/messaging';
import { ProgressService } from './progress.service.js';

@Controller()
export class ProgressController {
  constructor(private readonly progress: ProgressService) {}

  @Serve(getMemberProgress)
  async get(input: ParsedOf<typeof getMemberProgress>, call: Call): Promise<Progress> {
    return this.progress.get(input.member_id, call);
  }

  @Serve(assessMember)
  async assess(input: ParsedOf<typeof assessMember>, call: Call): Promise<Progress> {
    return this.progress.assess(input, call);
  }

  @On(sessionCompleted)
  async onCompleted(event: BusEvent<SessionObject>): Promise<void> {
    await this.progress.keepOutcome(event);
  }

  @On(sessionAttendanceRecorded)
  async onAttendance(event: BusEvent<SessionObject>): Promise<void> {
    await this.progress.keepOutcome(event);
  }

  @On(sessionCancelled)
  async onCancelled(event: BusEvent<SessionObject>): Promise<void> {
    await this.progress.keepOutcome(event);
  }
}
