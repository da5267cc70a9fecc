interface IconProps {
  /** Drawn with round ends, in the colour of the text. */
  path: string;
  /** Of the square that the path is drawn in. */
  size?: number;
  width?: number;
  className: string;
}

/** Hidden from screen readers: the words beside it say the same. */
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
