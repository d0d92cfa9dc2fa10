import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { LessonsModule } from '../lessons/lessons.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { SlotsModule } from '../slots/slots.module.js';
import { HoldCapsService } from './hold-caps.service.js';
import { HoldClockService } from './hold-clock.service.js';
import { HoldErasure } from './hold-erasure.service.js';
import { HoldObserverRegistry } from './hold-observer.service.js';
import { HoldPlacementService } from './hold-placement.service.js';
import { HoldQuotasRepository } from './hold-quotas.repository.js';
import { HoldReleaseService } from './hold-release.service.js';
import { HoldSweep } from './hold-sweep.service.js';
import { HoldsRepository } from './holds.repository.js';
import { HoldsService } from './holds.service.js';

/** Holds: time kept for an account before it books. */
@Module({
  imports: [CalendarModule, LessonsModule, SlotsModule, ParticipantsModule],
  providers: [
    HoldsService,
    HoldCapsService,
    HoldQuotasRepository,
    HoldPlacementService,
    HoldReleaseService,
    HoldClockService,
    HoldErasure,
    HoldObserverRegistry,
    HoldSweep,
    HoldsRepository,
  ],
  exports: [
    HoldsService,
    HoldPlacementService,
    HoldReleaseService,
    HoldClockService,
    HoldErasure,
    HoldObserverRegistry,
  ],
})
export class HoldsModule {}
