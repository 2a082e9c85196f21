"""The parts of the HTML report: its markup, its style, its scripts. They are joined into one file by `report.html`."""
