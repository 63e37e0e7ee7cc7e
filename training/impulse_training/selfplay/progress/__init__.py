"""The progress of a run.

figures       metrics of the training for the learning curve
progress_bar  a bar in the terminal
tracker       HParams of TensorBoard, Weights & Biases, MLflow
"""
