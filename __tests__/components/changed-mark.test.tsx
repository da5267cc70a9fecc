import { render, screen } from "@testing-library/react";
import type { HighlightStyle } from "@/components/ui/changed-mark";
import { TextField } from "@/components/ui/text-field";

const styles: HighlightStyle[] = ["default", "subtle", "icon", "animated"];

describe("a changed field", () => {
  test.each(styles)("shows and announces its original value in the style '%s'", (style) => {
    render(
      <TextField id="name" label="Full name" value="Augusta" changed={{ from: "Ada", style }} onChange={() => {}} />,
    );
    const mark = screen.getByText("Ada").closest("[data-highlight]");
    expect(mark).toHaveAttribute("data-highlight", style);
    expect(screen.getByLabelText("Full name")).toHaveAccessibleDescription("Changed from Ada");
    expect(mark?.querySelector("svg") !== null).toBe(style === "icon");
  });

  test("looks different in each style", () => {
    const looks = styles.map((style) => {
      const { container, unmount } = render(
        <TextField id="name" label="Full name" value="A" changed={{ from: "Ada", style }} onChange={() => {}} />,
      );
      const look = [...container.querySelectorAll("[data-highlight], div:has(> input)")].map((node) => node.className);
      unmount();
      return look.join(" | ");
    });
    expect(new Set(looks).size).toBe(styles.length);
  });
});
