interface IconProps {
  /** SVG path data, drawn as a line with round ends in the text colour. */
  path: string;
  /** The side length of the square view box that the path is drawn in. */
  size?: number;
  width?: number;
  className: string;
}

/** Hidden from screen readers, because the text beside it says the same. */
export function Icon({ path, size = 24, width = 2, className }: IconProps) {
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={width}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      <path d={path} />
    </svg>
  );
}

export const exclamation = "M12 7.5v5.5m0 3.2v.3M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z";
export const check = "m5 12.5 4.5 4.5L19 7.5";
