// The two seats at the table.

export const other = (player) => (player === "A" ? "B" : "A");
