import { z } from 'zod';
import {
  addsReasons,
  calendarDate,
  cents,
  currency,
  dateText,
  distinct,
  expects,
  id,
  idText,
  instantText,
  notBlank,
  patch,
  text,
} from '../formats/formats.js';
import { changingFilters, listQuery, metadataFilter } from '../formats/list-query.js';
import { metadata, metadataAnswer, metadataPatch } from '../formats/metadata.js';
import { apiObject } from '../formats/object-kinds.js';
import { email, emailText, phone, SWIMMING_LEVELS, swimmingLevel } from '../formats/person.js';
import { timezone } from '../formats/time-zones.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';
import { PLACE_REASONS, searchFilters, wholePlace } from './instructor-search.js';
import { review } from './reviews.js';
import { availabilitySchedule } from './schedule.js';

export const INSTRUCTOR_STATUSES = ['active', 'inactive'] as const;

const certification = z.object({
  type: z.string(),
  issuer: z.string().nullable(),
  issued_at: dateText.nullable(),
  expires_at: dateText.nullable(),
  verified: z.boolean(),
});
export type Certification = z.output<typeof certification>;

const MOST_AREAS = 10;
const MOST_POOLS_OF_AREA = 10;
/** Maximum number of pools of one instructor. */
export const MOST_POOLS = MOST_AREAS * MOST_POOLS_OF_AREA;

const serviceArea = z.strictObject({
  name: notBlank(200),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  radius_km: z.number().positive().max(500),
  pool_ids: z.array(id('pool')).max(MOST_POOLS_OF_AREA).default([]),
});
export type ServiceArea = z.output<typeof serviceArea>;

/** An instructor as every operation returns it. `distance_km` only in a search by location. */
export const instructor = apiObject('instructor', {
  id: idText('ins'),
  account_id: idText('acct'),
  name: z.string(),
  email: emailText,
  phone: z.string().nullable(),
  bio: z.string().nullable(),
  photo_url: z.string().nullable(),
  timezone: z.string(),
  certifications: z.array(certification),
  availability_schedule: availabilitySchedule,
  service_areas: z.array(serviceArea),
  rating: z.object({ average: z.number().nullable(), count: z.int() }),
  reviews: z.array(review.omit({ instructor_id: true, session_id: true })),
  hourly_rate_cents: z.int(),
  currency: z.string(),
  max_group_size: z.int(),
  levels_taught: z.array(swimmingLevel),
  languages: z.array(z.string()),
  status: z.enum(INSTRUCTOR_STATUSES),
  metadata: metadataAnswer,
  version: z.int(),
  created_at: instantText,
  updated_at: instantText,
  distance_km: z.number().optional(),
});
export type Instructor = z.output<typeof instructor>;

/** An instructor in a list: without reviews unless the request expands them. */
export const listedInstructor = instructor.partial({ reviews: true });
export type ListedInstructor = z.output<typeof listedInstructor>;

/** The object in an instructor's events: nothing that names, shows or reaches the person. */
const instructorObject = instructor.omit({
  name: true,
  email: true,
  phone: true,
  bio: true,
  photo_url: true,
  reviews: true,
  distance_km: true,
});
export type InstructorObject = z.output<typeof instructorObject>;

const certificationInput = z
  .strictObject({
    type: notBlank(100),
    issuer: notBlank(200).nullish(),
    issued_at: calendarDate.nullish(),
    expires_at: calendarDate.nullish(),
  })
  .refine((held) => !held.issued_at || !held.expires_at || held.issued_at <= held.expires_at, {
    error: 'range_reversed',
    path: ['expires_at'],
    params: { expected: 'no earlier than issued_at' },
  });
export type CertificationInput = z.output<typeof certificationInput>;

const required = { name: notBlank(200), email, hourly_rate_cents: cents };
const optional = {
  phone: phone.nullable(),
  bio: text(5000).nullable(),
  // The length first: reading a long host name takes time that grows with its square.
  photo_url: z
    .string()
    .max(2048, { error: 'too_long', abort: true })
    .check(z.url({ protocol: /^https?$/, error: 'invalid_format' }))
    .meta({ ...expects('a URL with http or https'), pattern: '^https?://' })
    .nullable(),
  timezone,
  certifications: z.array(certificationInput).max(50),
  service_areas: z.array(serviceArea).max(MOST_AREAS),
  currency,
  max_group_size: z.int().min(1).max(100),
  levels_taught: distinct(z.array(swimmingLevel).max(SWIMMING_LEVELS.length, { abort: true })),
  languages: distinct(z.array(notBlank(35)).max(50, { abort: true })),
  status: z.enum(INSTRUCTOR_STATUSES),
};

export const createInstructor = rpc('people.createInstructor', {
  summary: 'Create an instructor',
  description:
    'Adds an instructor to the school. `timezone` and `currency` are those of the school unless they are sent.',
  kind: 'write',
  input: z.strictObject({
    ...required,
    ...z.strictObject({ ...optional, availability_schedule: availabilitySchedule, metadata }).partial().shape,
  }),
  output: instructor,
  errors: ['school_only', 'already_exists', 'invalid_phone', 'not_representable', 'not_found'],
});

export const getInstructor = rpc('people.getInstructor', {
  summary: 'Get an instructor',
  description: 'An instructor with schedule, service areas, rating and newest reviews.',
  kind: 'read',
  input: z.strictObject({ instructor_id: id('ins') }),
  output: instructor,
  errors: ['resource_not_found'],
});

// A schedule is merged member by member (RFC 7396), so that a change of hours keeps the buffers; its lists go as a whole.
const schedule = availabilitySchedule.shape;
const scheduleChanges = patch({
  weekly: schedule.weekly.unwrap(),
  overrides: schedule.overrides.unwrap(),
  buffer_before_minutes: schedule.buffer_before_minutes.unwrap(),
  buffer_after_minutes: schedule.buffer_after_minutes.unwrap(),
  minimum_notice_minutes: schedule.minimum_notice_minutes.unwrap(),
  maximum_days_ahead: schedule.maximum_days_ahead.unwrap(),
  slot_interval_minutes: schedule.slot_interval_minutes.unwrap(),
});

export const updateInstructor = rpc('people.updateInstructor', {
  summary: 'Update an instructor',
  description:
    'Changes the fields that are sent; of the schedule, too. With `version`, only if the instructor is still at that version.',
  kind: 'write',
  reads: getInstructor,
  input: z.strictObject({
    instructor_id: id('ins'),
    changes: patch({
      ...required,
      ...optional,
      availability_schedule: scheduleChanges,
      metadata: metadataPatch,
      version: z.int().min(1),
    }),
  }),
  output: instructor,
  errors: [
    'school_only',
    'resource_not_found',
    'already_exists',
    'invalid_phone',
    'not_representable',
    'not_found',
    'stale_version',
    'change_in_progress',
    'too_long',
  ],
});
export type InstructorChanges = z.output<typeof updateInstructor.input>['changes'];

/**
 * Instructors of all schools, newest first; around a place, nearest first. `available_date` finds active instructors that
 * publish hours and have, on that date of their own zone, a free slot of 30 minutes; or, given an instant, are free for 30
 * minutes from then. A certification has to hold then too.
 */
export const listInstructors = rpc('people.listInstructors', {
  summary: 'Search instructors',
  description: 'Instructors of all schools, newest first; around a place, nearest first. All filters combine.',
  kind: 'list',
  input: listQuery({
    ...changingFilters('ins'),
    ...metadataFilter,
    expand: z
      .literal('reviews', { error: 'invalid_value' })
      .meta({ description: '`reviews` adds the ten newest reviews of each instructor' })
      .optional(),
    ...searchFilters,
  })
    .superRefine(wholePlace)
    .meta(addsReasons(...PLACE_REASONS)),
  output: listedInstructor,
});

export const instructorCreated = event('people', 'instructor.created', instructorObject);
export const instructorUpdated = event('people', 'instructor.updated', instructorObject);
