"""What notebooks show is there to be seen."""

from matplotlib.figure import Figure

from training import notebook


def test_a_figure_made_without_pyplot_is_shown_under_its_title(monkeypatch):
    shown = []
    monkeypatch.setattr(notebook, "display", shown.append)
    figure = Figure()
    axes = figure.subplots()
    notebook.show(figure, "Strength of the agents")
    assert axes.get_title() == "Strength of the agents"
    assert shown[0].data.startswith(b"\x89PNG")
