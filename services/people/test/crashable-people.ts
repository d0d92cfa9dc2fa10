import { CrashableService } from '@swim/testing';
import { type PeopleHarness, startPeople } from './harness.js';

/**
 * Starts people as a service that crashes on demand, on the engines of a harness.
 * @param lapse - ends the leases of a crashed instance.
 */
export async function startCrashablePeople(
  lapse: () => Promise<void>,
): Promise<{ people: PeopleHarness; service: CrashableService }> {
  let service!: CrashableService;
  const people = await startPeople(async (harness) => {
    service = await CrashableService.start(harness, {
      service: 'people',
      load: async () => ({
        module: (await import('../src/app.module.js')).AppModule,
        config: (await import('../src/config.js')).config,
      }),
      lapse,
    });
    return service;
  });
  return { people, service };
}
