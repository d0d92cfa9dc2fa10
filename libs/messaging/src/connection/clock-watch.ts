import type { ServiceName } from '@swim/contracts';
import { type ClockReading, clockOffsetSeconds, type Logger, type SharedClock, sharedClock } from '@swim/platform';

const MOST_APART_MS = 1_000;
const ALARM_EVERY_MS = 60_000;

/**
 * Reads the clocks that services send in their replies. A process without a database takes its time from one of them, its
 * `source`; all others are compared with this process's clock. A difference of more than a second raises an alarm: an error in
 * the log and `swim_clock_offset_seconds`.
 */
export class ClockWatch {
  private readonly alarmedAtMs = new Map<ServiceName, number>();

  constructor(
    private readonly logger: Logger,
    private readonly source: ServiceName | null = null,
    private readonly clock: SharedClock = sharedClock,
  ) {}

  /** Records the clock reading in a service's reply. */
  note(service: ServiceName, reading: ClockReading): void {
    if (!Number.isFinite(reading.shownMs)) return;
    if (service === this.source) this.clock.take(reading);
    else if (this.clock.isSet) this.compare(service, this.clock.offsetMsOf(reading));
  }

  private compare(service: ServiceName, offsetMs: number): void {
    clockOffsetSeconds.set({ service }, offsetMs / 1_000);
    if (Math.abs(offsetMs) <= MOST_APART_MS) return;
    const alarmedAtMs = this.alarmedAtMs.get(service) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - alarmedAtMs < ALARM_EVERY_MS) return;
    this.alarmedAtMs.set(service, performance.now());
    this.logger.error({ service, offsetMs: Math.round(offsetMs) }, 'the clocks of the databases are apart');
  }
}
