import { type PointerEvent, type RefObject, useRef, useState } from 'react';
import { type Geometry, leftOf, type Spot, sizeOf, spotAt } from './layout/geometry.ts';
import type { Lesson, PlacedLesson } from './layout/layout.ts';

/** Where a lesson was dropped. */
export interface Drop {
  readonly lesson: Lesson;
  readonly spot: Spot;
  /** Key of the row. */
  readonly rowKey: string;
}

/** Where the lesson that is dragged would be dropped. */
export interface Ghost {
  readonly spot: Spot;
  readonly rowKey: string;
  readonly top: number;
  readonly size: { readonly width: number; readonly height: number };
}

interface Grip {
  readonly lesson: PlacedLesson;
  readonly pointerId: number;
  /** Where it was taken. */
  readonly x: number;
  readonly y: number;
  /** Pixels between its left edge and the pointer. */
  readonly offset: number;
}

interface DragOptions {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly geometry: Geometry;
  readonly lessons: ReadonlyMap<string, PlacedLesson>;
  readonly onDrop: ((drop: Drop) => void) | undefined;
}

/** Below that a press is a click. */
const SLACK = 5;

const rowAt = (x: number, y: number): HTMLElement | undefined =>
  document
    .elementsFromPoint(x, y)
    .find((each): each is HTMLElement => each instanceof HTMLElement && each.dataset.row !== undefined);

/** The lesson that a press takes hold of. A finger scrolls. */
function movableAt(
  { target, button, pointerType }: PointerEvent,
  lessons: DragOptions['lessons'],
): PlacedLesson | null {
  const key = (target as Element).closest<HTMLElement>('[data-lesson]')?.dataset.lesson;
  const lesson = lessons.get(key ?? '');
  return lesson?.state === 'scheduled' && button === 0 && pointerType !== 'touch' ? lesson : null;
}

/** Drags a lesson with the mouse or a pen to another time or row. */
export function useDrag({ box, geometry, lessons, onDrop }: DragOptions) {
  const grip = useRef<Grip | null>(null);
  const dragged = useRef(false);
  const [ghost, setGhost] = useState<Ghost | null>(null);
  // The pointer may be released before its last movement is rendered.
  const latest = useRef<Ghost | null>(null);
  const show = (next: Ghost | null) => {
    latest.current = next;
    setGhost(next);
  };
  const xOf = (clientX: number) =>
    clientX - box.current!.getBoundingClientRect().left + box.current!.scrollLeft - geometry.namesWidth;
  const onPointerDown = (event: PointerEvent) => {
    dragged.current = false;
    const lesson = onDrop && movableAt(event, lessons);
    if (!lesson) return;
    const { clientX: x, clientY: y, pointerId } = event;
    grip.current = { lesson, pointerId, x, y, offset: xOf(x) - leftOf(geometry, lesson.day, lesson.startMinutes) };
  };
  const onPointerMove = ({ clientX: x, clientY: y }: PointerEvent) => {
    const held = grip.current;
    if (!held || (!dragged.current && Math.hypot(x - held.x, y - held.y) < SLACK)) return;
    if (!dragged.current) box.current!.setPointerCapture(held.pointerId);
    dragged.current = true;
    const row = rowAt(x, y);
    const { startMinutes, minutes } = held.lesson;
    const spot = spotAt(geometry, xOf(x) - held.offset, { startMinutes, grip: held.offset });
    if (row) show({ spot, rowKey: row.dataset.row!, top: row.offsetTop, size: sizeOf(geometry, minutes) });
  };
  const end = (isKept: boolean) => {
    const [held, dropped] = [grip.current, latest.current];
    grip.current = null;
    show(null);
    if (isKept && held && dropped && onDrop)
      onDrop({ lesson: held.lesson, spot: dropped.spot, rowKey: dropped.rowKey });
  };
  /** Whether the click that asks is the end of a drag. */
  const wasDragged = () => {
    const was = dragged.current;
    dragged.current = false;
    return was;
  };
  const handlers = { onPointerDown, onPointerMove, onPointerUp: () => end(true), onPointerCancel: () => end(false) };
  return { ghost, handlers, wasDragged };
}
