import { authentication } from './en/authentication.ts';
import { bookings } from './en/bookings.ts';
import { calendar } from './en/calendar.ts';
import { classes } from './en/classes.ts';
import { collecting } from './en/collecting.ts';
import { connections } from './en/connections.ts';
import { developers } from './en/developers.ts';
import { errors } from './en/errors.ts';
import { instructors } from './en/instructors.ts';
import { lessons } from './en/lessons.ts';
import { members } from './en/members.ts';
import { office } from './en/office.ts';
import { pools } from './en/pools.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';

/** The texts in English, whose keys those of every language have. */
export const en = {
  ...authentication,
  ...office,
  ...instructors,
  ...lessons,
  ...members,
  ...bookings,
  ...calendar,
  ...classes,
  ...collecting,
  ...connections,
  ...developers,
  ...pools,
  ...settings,
  ...shell,
  ...errors,
} as const;

export type TextKey = keyof typeof en;
export type Texts = Readonly<Record<TextKey, string>>;
