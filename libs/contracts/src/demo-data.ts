import type { createInstructor } from './instructors.js';
import type { createMember } from './members.js';
import type { InputOf } from './operation.js';
import type { addPaymentMethod } from './payment-methods.js';
import type { createPool } from './pools.js';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

type DemoInstructor = InputOf<typeof createInstructor>;

/** The pool in the demo data of a school, as POST /v1/pools takes it. */
export const DEMO_POOL: InputOf<typeof createPool> = {
  name: 'Riverside Baths',
  address: 'Uferstraße 12, 10115 Berlin',
  latitude: 52.532,
  longitude: 13.385,
  timezone: 'Europe/Berlin',
  lanes: 6,
};

/** The members in the demo data of a family, as POST /v1/accounts/{account_id}/members takes them. */
export const DEMO_MEMBERS: Omit<InputOf<typeof createMember>, 'account_id'>[] = [
  { name: 'Mia Okafor', date_of_birth: '2017-05-04', swimming_level: 'beginner' },
  { name: 'Jonas Okafor', date_of_birth: '2014-11-21', swimming_level: 'intermediate' },
];

/** The card in the demo data of a family, as POST /v1/accounts/{account_id}/payment-methods takes it. */
export const DEMO_METHOD: Omit<InputOf<typeof addPaymentMethod>, 'account_id'> = {
  processor_payment_method_id: 'pm_card_visa',
  is_default: true,
};

/**
 * The instructors in the demo data of a school, in three time zones, as POST /v1/instructors takes them.
 * @param poolId - where the first of them teaches.
 */
export function demoInstructors(poolId: string): DemoInstructor[] {
  return [
    instructor('Greta Lindqvist', 'Europe/Berlin', [4800, 'EUR'], ['08:00', '18:00'], {
      name: 'Berlin',
      latitude: 52.52,
      longitude: 13.405,
      radius_km: 15,
      pool_ids: [poolId],
    }),
    instructor('Marcus Bell', 'America/New_York', [6000, 'USD'], ['07:00', '15:00'], {
      name: 'Brooklyn',
      latitude: 40.678,
      longitude: -73.944,
      radius_km: 20,
      pool_ids: [],
    }),
    instructor('Sunita Gurung', 'Asia/Kathmandu', [150_000, 'NPR'], ['06:30', '12:30'], {
      name: 'Kathmandu',
      latitude: 27.717,
      longitude: 85.324,
      radius_km: 12,
      pool_ids: [],
    }),
  ];
}

function instructor(
  name: string,
  timezone: string,
  [hourlyRateCents, currency]: [number, string],
  [start, end]: [string, string],
  area: NonNullable<DemoInstructor['service_areas']>[number],
): DemoInstructor {
  return {
    name,
    email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
    timezone,
    hourly_rate_cents: hourlyRateCents,
    currency,
    max_group_size: 4,
    availability_schedule: { weekly: DAYS.map((day) => ({ day, start, end })) },
    service_areas: [area],
  };
}
