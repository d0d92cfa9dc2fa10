import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useLanguage } from '../../../texts/language.tsx';
import { type Cells, cellAt, DAYS, timeOf, withArea } from './hours.ts';

interface GridProps {
  readonly cells: Cells;
  /** Null where it is only read. */
  readonly onChange: ((cells: Cells) => void) | null;
  /** Minutes of a cell. */
  readonly step: number;
  /** First and last hour that are shown. */
  readonly first: number;
  readonly last: number;
}

interface Place {
  readonly day: number;
  readonly row: number;
}

const MOVES: Readonly<Record<string, Place>> = {
  ArrowUp: { day: 0, row: -1 },
  ArrowDown: { day: 0, row: 1 },
  ArrowLeft: { day: -1, row: 0 },
  ArrowRight: { day: 1, row: 0 },
};

const within = (value: number, last: number): number => Math.min(Math.max(value, 0), last);

/** The cell and state at the start of a drag. */
interface Painting {
  readonly from: Place;
  readonly before: Cells;
  readonly isOn: boolean;
}

/** Which cell has the focus, and what keys and the pointer do to cells. */
function useGrid({ cells, onChange, step, first, last }: GridProps) {
  const table = useRef<HTMLTableElement>(null);
  const [focus, setFocus] = useState<Place>({ day: 0, row: 0 });
  const painting = useRef<Painting | null>(null);
  const rows = ((last - first) * 60) / step;
  const cellOf = ({ day, row }: Place) => cellAt(day, first * 60 + row * step);
  const set = (place: Place, isOn: boolean) => onChange?.(withArea(cells, [cellOf(place), cellOf(place)], step, isOn));
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (event.key === ' ' || event.key === 'Enter') set(focus, !cells.has(cellOf(focus)));
    else if (!move) return;
    else {
      const next = { day: within(focus.day + move.day, 6), row: within(focus.row + move.row, rows - 1) };
      if (event.shiftKey) set(next, cells.has(cellOf(focus)));
      setFocus(next);
      table.current?.querySelector<HTMLElement>(`[data-cell="${cellOf(next)}"]`)?.focus();
    }
    event.preventDefault();
  };
  const onPointerDown = (place: Place) => {
    const isOn = !cells.has(cellOf(place));
    painting.current = { from: place, before: cells, isOn };
    setFocus(place);
    set(place, isOn);
  };
  const onPointerEnter = (place: Place, event: PointerEvent) => {
    if (event.buttons !== 1 || event.pointerType !== 'mouse' || painting.current === null) return;
    const { from, before, isOn } = painting.current;
    onChange?.(withArea(before, [cellOf(from), cellOf(place)], step, isOn));
  };
  return { table, focus, rows, cellOf, onKeyDown, onPointerDown, onPointerEnter };
}

/**
 * A week as a grid: arrow keys walk, Space changes a cell, Shift with an arrow key carries its state on, and the mouse
 * changes the rectangle over which it is dragged.
 */
export function HoursGrid(props: GridProps) {
  const { cells, onChange, step, first } = props;
  const { t } = useLanguage();
  const { table, focus, rows, cellOf, ...on } = useGrid(props);
  const isFocus = (day: number, row: number) => focus.day === day && focus.row === row;
  return (
    <table
      ref={table}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are selected is a grid (ARIA).
      role="grid"
      className="hours"
      aria-label={t('instructors.hours')}
      aria-multiselectable="true"
      aria-readonly={onChange === null}
      onKeyDown={on.onKeyDown}
    >
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t('instructors.time')}</span>
          </th>
          {DAYS.map((day) => (
            <th key={day} scope="col">
              {t(`day.${day}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: rows }, (_, row) => first * 60 + row * step).map((minutes, row) => (
          <tr key={minutes} data-hour={minutes % 60 === 0}>
            <th scope="row">
              {minutes % 60 === 0 ? timeOf(minutes) : <span className="visually-hidden">{timeOf(minutes)}</span>}
            </th>
            {DAYS.map((day, index) => (
              <td
                key={day}
                // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the cells of a grid are selected.
                role="gridcell"
                data-cell={cellOf({ day: index, row })}
                tabIndex={isFocus(index, row) ? 0 : -1}
                aria-selected={cells.has(cellOf({ day: index, row }))}
                aria-label={`${t(`day.${day}`)} ${timeOf(minutes)}`}
                onPointerDown={() => on.onPointerDown({ day: index, row })}
                onPointerEnter={(event) => on.onPointerEnter({ day: index, row }, event)}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
