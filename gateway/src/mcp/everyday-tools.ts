import * as api from '@swim/contracts';

/**
 * The operations that assistants see as tools by default: what families and schools do every day. Each tool takes room in the context
 * of every conversation, and assistants choose worse among many.
 */
export const EVERYDAY: ReadonlySet<api.Operation> = new Set<api.Operation>([
  api.getMe,
  // Who teaches what, where and when.
  api.listInstructors,
  api.getInstructor,
  api.listAvailability,
  api.getAvailability,
  api.listPools,
  api.listLessons,
  api.listClasses,
  // For whom.
  api.listMembers,
  api.getMember,
  api.createMember,
  api.getMemberProgress,
  // Booking, moving and cancelling.
  api.listBookings,
  api.getBooking,
  api.createBooking,
  api.quoteBookingCancellation,
  api.cancelBooking,
  api.listSessions,
  api.updateSession,
  api.quoteCancellation,
  api.cancelSession,
  api.createHold,
  api.createEnrollment,
  api.joinWaitlist,
  api.listWaitlist,
  // Money.
  api.listPaymentMethods,
  api.createPayment,
  api.listPayments,
  api.createRefund,
  api.listCredits,
  // The day of a school.
  api.listFamilies,
  api.getRoster,
  api.recordLessonAttendance,
  api.assessMember,
  api.createLesson,
  api.updateLesson,
  api.cancelLesson,
  api.createClosure,
]);
