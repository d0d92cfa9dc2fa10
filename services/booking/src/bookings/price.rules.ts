/** Price of one session for one member, in minor units: the hourly rate by the minute, half up (contract, Payments). */
export function priceCents(hourlyRateCents: number, durationMinutes: number): number {
  return Math.floor((hourlyRateCents * durationMinutes + 30) / 60);
}
