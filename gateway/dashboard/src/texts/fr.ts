import type { Texts } from './en.ts';
import { authentication } from './fr/authentication.ts';
import { bookings } from './fr/bookings.ts';
import { calendar } from './fr/calendar.ts';
import { classes } from './fr/classes.ts';
import { collecting } from './fr/collecting.ts';
import { connections } from './fr/connections.ts';
import { developers } from './fr/developers.ts';
import { errors } from './fr/errors.ts';
import { instructors } from './fr/instructors.ts';
import { lessons } from './fr/lessons.ts';
import { members } from './fr/members.ts';
import { office } from './fr/office.ts';
import { pools } from './fr/pools.ts';
import { settings } from './fr/settings.ts';
import { shell } from './fr/shell.ts';

export const fr: Texts = {
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
};
